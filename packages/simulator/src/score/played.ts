import { type Judgement, judge } from '../scenario/judge.js'
import { play } from '../scenario/play.js'
import type { Scenario } from '../scenario/scenario.js'
import { type ControllerChoice, controllerOf } from './choice.js'
import { type TimelinePoint, timelineOf } from './timeline.js'

/** One play that is wanted: plain data, so that a worker can be given it. */
export interface PlayTask {
  readonly scenario: Scenario
  readonly controller: ControllerChoice
  readonly seed: number
  /** Stretches of the timeline at most. Default 0: none is made. */
  readonly points?: number
}

/** What came of it: plain data too. */
export interface Played {
  readonly judgement: Judgement
  readonly timeline: readonly TimelinePoint[]
}

/** Plays a task, here or wherever there is a free core. */
export type Player = (task: PlayTask) => Promise<Played>

/** Plays it here. */
export const playTask: Player = async ({ scenario, controller, seed, points = 0 }) => {
  const recording = await play(scenario, controllerOf(controller), seed)
  const timeline = points > 0 ? timelineOf(recording, scenario.durationS, points) : []
  return { judgement: judge(scenario, recording), timeline }
}
