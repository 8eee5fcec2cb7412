/** One thing to be measured: makes one call. */
export interface Candidate {
  name: string
  call: () => Promise<unknown>
}

/** Something too small, or too much one among many, to be timed singly: many are done in one run. */
export interface Batch {
  name: string
  /** How many one run does; what is measured is divided by it. */
  units: number
  /** Makes everything ready, untimed. @returns the run */
  prepare: () => Promise<() => unknown> | (() => unknown)
}

interface About {
  name: string
  /** One sentence: what a call is. */
  what: string
}

/** Candidates that do the same work, the first of which is the yardstick of what it costs without any of them. */
export interface CallSuite extends About {
  kind: 'calls'
  candidates: Candidate[]
}

/** The same for what is done in runs. */
export interface BatchSuite extends About {
  kind: 'batches'
  /** What one unit is called. */
  unit: string
  /** Runs of each candidate in one process start. */
  rounds: number
  candidates: Batch[]
}

/** Figures that stand alone: nobody else does this work. */
export interface AloneSuite extends About {
  kind: 'alone'
  rounds: number
  /** The most that each should be, in nanoseconds. */
  candidates: (Batch & { aimNs: number })[]
}

/** The same candidates among few and among many: does the cost of one grow with how many there are? */
export interface GrowthSuite extends About {
  kind: 'growth'
  unit: string
  rounds: number
  sizes: readonly [few: number, many: number]
  candidates: (size: number) => Batch[]
}

/** Bytes that stay in memory for each unit; `prepare` is not measured, what its run returns is. */
export interface MemorySuite extends About {
  kind: 'memory'
  candidates: Batch[]
}

export type BenchSuite = CallSuite | BatchSuite | AloneSuite | GrowthSuite | MemorySuite
