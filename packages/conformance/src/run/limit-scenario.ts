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
    const refused = 'config_error' in played ? played.config_error : undefined
    compare.equal('config_error', row.config_error, refused)
    if ('steps' in played) compareLimitSteps(compare, row.steps, played.steps)
  } catch (error) {
    compare.fail('limiter', 'a reading a step', describeError(error))
  }
}

/** One process of a scenario: from the making of its limiter to its end. */
interface Life {
  clock: ReplayClock
  limiter: LimitSubject
  callers: Callers
}

/**
 * Plays the steps of a scenario on a fresh clock, and after a restart on another.
 * @throws Error where the limiter contradicts what was seen from outside, or leaves a timer
 */
export async function playLimit(
  row: Pick<LimitScenario, 'steps'>,
  config: Record<string, unknown>,
  limit: NonNullable<Subject['limit']>,
  makeClock: MakeClock,
): Promise<LimitPlayed> {
  const begin = (
    wallMs: number,
    own: Record<string, unknown> = {},
    saved?: unknown,
  ): Life | { config_error: string } => {
    const clock = makeClock(wallMs)
    const limiter = limit({ ...config, ...own }, clock, saved)
    return 'config_error' in limiter ? limiter : { clock, limiter, callers: new Callers(limiter) }
  }
  let life = begin(DEFAULT_NOW)
  const steps: LimitStepActual[] = []
  for (const step of row.steps) {
    if ('config_error' in life) return life
    if (step.restart) {
      const { after_ms: afterMs, ...own } = step.restart
      const saved: unknown = JSON.parse(JSON.stringify(life.limiter.save?.() ?? null))
      await end(life)
      life = begin(life.clock.wallNow() + afterMs, own, saved)
      if ('config_error' in life) return life
    }
    try {
      steps.push(await playStep(step, life, Number(config.window_ms)))
    } catch (error) {
      life.limiter.dispose()
      throw error
    }
  }
  if ('config_error' in life) return life
  await end(life)
  return { steps }
}

async function playStep(step: LimitStep, life: Life, windowMs: number): Promise<LimitStepActual> {
  const { clock, limiter, callers } = life
  callers.beginStep()
  await act(step, life, windowMs)
  await pass(clock, 0)
  const did = callers.tally()
  const actual = { ...limiter.read(), ...did }
  callers.check(actual)
  await pass(clock, 0) // events may come a turn after what they tell
  // L16: reading changes nothing, so it cannot stand in for a timer that should have been set.
  if (callers.tally().started > did.started) throw new Error('calls started only because it was read')
  const timers = clock.pending?.() ?? 0
  if (actual.queued === 0 && timers > 0) throw new Error(`${timers} timers run while nobody waits`) // L16
  return limiter.events ? { ...actual, events: limiter.events() } : actual
}

/** L16: who waits is refused, and no timer is left. */
async function end({ clock, limiter, callers }: Life): Promise<void> {
  limiter.dispose()
  await pass(clock, 0)
  callers.checkDisposed()
  const left = clock.pending?.() ?? 0
  if (left > 0) throw new Error(`${left} timers are left after the limiter was disposed`)
}

async function act(step: LimitStep, { limiter, callers, clock }: Life, windowMs: number): Promise<void> {
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
