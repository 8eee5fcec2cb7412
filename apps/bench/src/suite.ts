/** One thing to be measured: makes one call. */
export interface Candidate {
  name: string
  call: () => Promise<unknown>
}

/** Candidates that do the same work, the first of which is the yardstick of what it costs without any of them. */
export interface BenchSuite {
  name: string
  /** One sentence: what a call is. */
  what: string
  candidates: Candidate[]
}
