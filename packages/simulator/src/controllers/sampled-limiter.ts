import type { AttemptReport } from '@sluice/core'
import type { ControllerSetting } from './controller.js'
import { LentSlots } from './lent-slots.js'

/** One attempt that ended, as controllers that look at each of them see it. */
export interface Sample {
  readonly atMs: number
  readonly rttMs: number
  /** When it began, itself included. */
  readonly inFlight: number
  /** It was refused, or took too long: no latency, but a sign. */
  readonly dropped: boolean
}

/** Finds a limit from samples, one after another. */
export interface LimitAlgorithm {
  /** Whole, and at least 1. */
  readonly limit: number
  readonly maxLimit: number
  sample(sample: Sample): void
}

/** A limit that an algorithm finds from each attempt. */
export class SampledLimiter extends LentSlots {
  readonly #algorithm: LimitAlgorithm

  constructor(setting: ControllerSetting, algorithm: LimitAlgorithm) {
    super(setting, { first: algorithm.limit, most: algorithm.maxLimit })
    this.#algorithm = algorithm
  }

  protected override reported(report: AttemptReport, inFlight: number): void {
    if (report.kind === 'failure') return
    const rttMs = report.kind === 'throttle' ? 0 : report.latencyMs
    this.#algorithm.sample({ atMs: this.world.now(), rttMs, inFlight, dropped: report.kind !== 'success' })
    this.setLimit(this.#algorithm.limit)
  }
}
