import type { ControllerChoice, Judgement, Score, TimelinePoint } from '@sluice/simulator'

/** What one controller came to in one scenario. */
export interface RunResult {
  readonly label: string
  readonly choice: ControllerChoice
  readonly score: Score
  /** Statistics of the phases, for each seed. */
  readonly phases: readonly Judgement['phases'][]
  /** Of the first seed. */
  readonly timeline: readonly TimelinePoint[]
}
