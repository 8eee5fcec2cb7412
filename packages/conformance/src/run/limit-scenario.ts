import type { MakeClock, ReplayClock } from '../clock.js'
import type { LimitSubject } from '../limit-subject.js'
import type { Subject } from '../subject.js'
import type { LimitScenario, LimitStep, LimitStepActual, WindowStep } from '../table/limit-table.js'
import { mergedPolicy, type TablePolicy } from '../table/table.js'
import { compareLimitSteps } from './compare-limit.js'
import { DEFAULT_NOW } from './draws.js'
import { Callers } from './limit-callers.js'
import type { Comparison } from './mismatch.js'
import { describeError } from './play.js'

/** What came of playing a scenario: a reading a step, or that the config was refused. */
export type LimitPlayed = { steps: LimitStepActual[] } | { config_error: string }

/** Replays one scenario and compares what its steps state. */
export async function replayLimitScenario(
  row: LimitScenario,
  config: TablePolicy,
  limit: NonNullable<Subject['limit']>,
  makeClock: MakeClock,
  compare: Comparison,
): Promise<void> {
  try {
    const played = await playLimit(row, mergedPolicy(config, row.config), limit, makeClock)
    if ('config_error' in played) compare.equal('config_error', undefined, played.config_error)
    else compareLimitSteps(compare, row.steps, played.steps)
  } catch (error) {
    compare.fail('limiter', 'a reading a step', describeError(error))
  }
}

/**
 * Plays the steps of a scenario on a fresh clock.
 * @throws Error where the limiter contradicts what was seen from outside, or leaves a timer
 */
export async function playLimit(
  row: Pick<LimitScenario, 'steps'>,
  config: Record<string, unknown>,
  limit: NonNullable<Subject['limit']>,
  makeClock: MakeClock,
): Promise<LimitPlayed> {
  const clock = makeClock(DEFAULT_NOW)
  const limiter = limit(config, clock)
  if ('config_error' in limiter) return limiter
  const callers = new Callers(limiter)
  const windowMs = Number(config.window_ms)
  const steps: LimitStepActual[] = []
  try {
    for (const step of row.steps) {
      callers.beginStep()
      await act(step, limiter, callers, clock, windowMs)
      await pass(clock, 0)
      const did = callers.tally()
      const actual = { ...limiter.read(), ...did }
      callers.check(actual)
      await pass(clock, 0) // events may come a turn after what they tell
      // L16: reading changes nothing, so it cannot stand in for a timer that should have been set.
      if (callers.tally().started > did.started) throw new Error('calls started only because it was read')
      const timers = clock.pending?.() ?? 0
      if (actual.queued === 0 && timers > 0) throw new Error(`${timers} timers run while nobody waits`) // L16
      steps.push(limiter.events ? { ...actual, events: limiter.events() } : actual)
    }
  } finally {
    limiter.dispose()
  }
  await pass(clock, 0)
  callers.checkDisposed()
  const left = clock.pending?.() ?? 0
  if (left > 0) throw new Error(`${left} timers are left after the limiter was disposed`)
  return { steps }
}

async function act(
  step: LimitStep,
  limiter: LimitSubject,
  callers: Callers,
  clock: ReplayClock,
  windowMs: number,
): Promise<void> {
  if (step.window) await windows(step.window, limiter, clock, windowMs)
  if (step.throttle) limiter.throttle(step.throttle.retry_after_ms)
  for (let i = 0; i < (step.sample?.count ?? (step.sample ? 1 : 0)); i++)
    limiter.sample(step.sample?.latency_ms ?? 0, step.sample?.timeout ?? false)
  for (let i = 0; i < (step.failure ?? 0); i++) limiter.failure()
  if (step.reset_baseline) limiter.resetBaseline()
  if (typeof step.arrive === 'number') callers.arrive(step.arrive, null)
  else if (step.arrive) callers.arrive(step.arrive.count, step.arrive.cap_ms)
  if (step.finish) callers.finish(typeof step.finish === 'number' ? { count: step.finish } : step.finish)
  if (step.retry) callers.retry(step.retry)
  if (step.abort) callers.abort(step.abort)
  if (step.advance_ms) await pass(clock, step.advance_ms)
}

/** A window knows no order, so all of its samples are given at its start. */
async function windows(step: WindowStep, limiter: LimitSubject, clock: ReplayClock, windowMs: number): Promise<void> {
  const into = clock.now() % windowMs
  if (into > 0) await pass(clock, windowMs - into)
  for (let i = 0; i < (step.times ?? 1); i++) {
    for (let sample = 0; sample < step.count; sample++) limiter.sample(step.latency_ms, false)
    for (let sample = 0; sample < (step.slow?.count ?? 0); sample++) limiter.sample(step.slow?.latency_ms ?? 0, false)
    await pass(clock, windowMs)
    limiter.read()
  }
}

/** Time passes, and whatever is due by its end has had its turn, also what others due then set for at once. */
async function pass(clock: ReplayClock, ms: number): Promise<void> {
  for (const some of [ms, 0, 0]) await clock.run(new Promise<void>((resolve) => clock.timer(some, resolve)))
}
