import type { Recording } from '../metrics/recording.js'
import { type Statistics, statisticsOf } from '../metrics/statistics.js'
import type { Scenario, Target } from './scenario.js'

/** A target and what was reached. */
export interface Judged {
  readonly target: Target
  readonly value: number
  readonly met: boolean
}

/** What one play came to, phase by phase, and which of the scenario's targets it met. */
export interface Judgement {
  readonly phases: Readonly<Record<string, Statistics>>
  readonly targets: readonly Judged[]
}

/** @throws RangeError for a target of a phase that there is not */
export function judge(scenario: Scenario, recording: Recording): Judgement {
  const phases = Object.fromEntries(
    Object.entries(scenario.phases).map(([name, phase]) => [name, statisticsOf(recording, phase)]),
  )
  const targets = scenario.targets.map((target) => {
    const { phase, statistic, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = target
    const statistics = phases[phase]
    if (!statistics) throw new RangeError(`${scenario.id}: a target is of the phase "${phase}", and there is none`)
    const value = statistics[statistic]
    return { target, value, met: value >= min && value <= max } // NaN meets nothing
  })
  return { phases, targets }
}
