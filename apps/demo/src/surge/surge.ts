import type { Clock } from '@sluice/core'
import type { GatewayLimitOptions } from '@sluice/gateway'
import { lightOf, type Part, type Sight, type SurgeFigures } from './figures.js'
import { type Ground, onGround } from './ground.js'
import type { NodeLimit } from './onlooker.js'
import { pause } from './pause.js'
import type { Sizing } from './sizing.js'
import { startTraffic } from './traffic.js'
import { runJob, size } from './trial.js'

/** How long things last, in ms. */
export interface Lengths {
  /** Until traffic is even; nothing of it is told. */
  readonly lead: number
  readonly calm: number
  /** The job, alone. */
  readonly job: number
  /** What is watched after the job, where there is a limit that can come back. */
  readonly after: number
  /** The limiter's smoothing time constant. */
  readonly smoothing: number
}

/**
 * Smoothed over 20 s and 1200 answers, as it is by default, a latency that doubled would be noticed too late here. Its
 * callers wait for a slot all the time, slow engine or not, and do not mind: nothing is borne for their sake (L19), and
 * none of them is let go (L20).
 */
export const LENGTHS: Lengths = Object.freeze({ lead: 1500, calm: 4000, job: 6000, after: 3000, smoothing: 3000 })
export const WINDOW_MS = 1000
/** A window of 1 s holds 15 to 40 answers here. */
export const MIN_SAMPLES = 10

/** Where the act is, and what the gateway says at this moment. */
export interface Scene {
  readonly phase: 'measuring' | 'free' | 'windowed' | 'limited'
  /** How long the job has run, in ms; null: it does not. */
  readonly jobMs: number | null
  readonly limit: NodeLimit | null
}

/** What the act is played with. */
export interface SurgeOptions {
  readonly cores: number
  readonly lengths: Lengths
  readonly clock: Clock
  readonly random: () => number
  readonly signal: AbortSignal
  /** Whether it is played with the steps of L6 as well, before the knee. Default false. */
  readonly compare?: boolean | undefined
  /** Other thresholds than the limiter's own. */
  readonly limit?: GatewayLimitOptions | undefined
  /** A file for what the limiter is told in the limited part. */
  readonly record?: string | undefined
  readonly onScene: (scene: Scene) => void
}

/** Plays the act: the job alone, beside traffic, and beside traffic that is limited, in one way or two. @throws the signal's reason */
export async function playSurge(options: SurgeOptions): Promise<SurgeFigures> {
  const { lengths } = options
  options.onScene({ phase: 'measuring', jobMs: null, limit: null })
  const limit = {
    windowMs: WINDOW_MS,
    minSamples: MIN_SAMPLES,
    smoothingTimeConstantMs: lengths.smoothing,
    smoothingSamples: 0,
    overdraftMs: 0,
    shedding: false,
    ...options.limit,
  }
  const first = await onGround(options, { ...limit, latencyControl: false }, undefined, async (ground) => {
    const sizing = await size(ground, options.cores, lengths.job)
    const aloneMs = await runJob(sizing, ground)
    return { sizing, aloneMs, free: await playPart('free', sizing, ground, options) }
  })
  const { sizing, free } = first
  const expectedP90Ms = free.calm.engineMs
  const windowed = options.compare
    ? await onGround(options, { ...limit, controller: 'windowed', expectedP90Ms }, undefined, (ground) =>
        playPart('windowed', sizing, ground, options),
      )
    : null
  const second = await onGround(options, { ...limit, expectedP90Ms }, options.record, async (ground) => {
    const limited = await playPart('limited', sizing, ground, options)
    options.onScene({ phase: 'measuring', jobMs: null, limit: null })
    return { limited, aloneMs: await runJob(sizing, ground) }
  })
  return { aloneMs: [first.aloneMs, second.aloneMs], free, windowed, limited: second.limited, expectedP90Ms }
}

async function playPart(
  phase: 'free' | 'windowed' | 'limited',
  sizing: Sizing,
  ground: Ground,
  { lengths, clock, random, signal, onScene }: SurgeOptions,
): Promise<Part> {
  let jobBeganMs: number | null = null
  const sights: Sight[] = []
  ground.watch((limit) => {
    const atMs = clock.now()
    sights.push({ atMs, limit: limit.limit, p90_ms: limit.p90_ms, ratio: limit.ratio })
    onScene({ phase, jobMs: jobBeganMs === null ? null : atMs - jobBeganMs, limit })
  })
  const traffic = startTraffic(sizing, random, ground)
  await pause(clock, lengths.lead, signal)
  const beganMs = clock.now()
  await pause(clock, lengths.calm, signal)
  const fromMs = clock.now()
  jobBeganMs = fromMs
  const jobMs = await runJob(sizing, ground)
  const toMs = clock.now()
  jobBeganMs = null
  if (phase !== 'free') await pause(clock, lengths.after, signal)
  ground.watch(() => {})
  const endMs = clock.now()
  await traffic.stop()
  const { answers } = traffic
  return {
    jobMs,
    jobFromMs: fromMs - beganMs,
    endMs: endMs - beganMs,
    calm: lightOf(answers, beganMs, fromMs),
    surge: lightOf(answers, fromMs, toMs),
    refusals: answers.map(({ status }) => status).filter((status) => status !== 200),
    answers: answers.length,
    counted: ground.stand.countOf('callers'),
    sights: sights.map((sight) => ({ ...sight, atMs: sight.atMs - beganMs })),
  }
}
