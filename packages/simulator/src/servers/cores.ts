/** What does the work of a server. */
export interface Cores {
  /** How many there are. */
  readonly count: number
  /** Core-µs used until now. */
  readonly busyCoreUs: number
  /** Begins a job. @param workUs core-µs it needs at full speed */
  run(workUs: number, done: () => void): void
  /** Cores come or go, or all of them become slower; what runs goes on. */
  change(to: { cores?: number; speed?: number }): void
  /** What runs is lost: nobody is told. */
  drop(): void
}
