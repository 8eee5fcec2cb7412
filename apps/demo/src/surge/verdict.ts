import { askedOf } from './asked.js'
import { fallsOf, limitAt, lowestLimit, partsOf, type SurgeFigures, slowdown } from './figures.js'
import { SLOTS } from './sizing.js'
import { MIN_SAMPLES } from './surge.js'

/** Below this the two times of the job are the same for all that anybody could tell. */
const SAME = 1.05
/** How far apart two measures of the same may be. */
const STEADY_JOB = 1.25
const STEADY_CALM = 1.6

/** What speaks against the figures, a sentence each: then they should not be believed. */
export function doubtsAboutSurge(figures: SurgeFigures): readonly string[] {
  return partsOf(figures).flatMap(({ refusals, answers, counted }) => [
    ...(refusals.length === 0
      ? []
      : [
          `${refusals.length} light questions were answered with status ${[...new Set(refusals)].join(', ')} and no data.`,
        ]),
    ...(counted.requests === answers && counted.refusals === refusals.filter((status) => status === 429).length
      ? []
      : [
          `${answers} answers and ${refusals.filter((status) => status === 429).length} refusals (429) were counted here, ` +
            `${counted.requests} and ${counted.refusals} by the gateway.`,
        ]),
  ])
}

/** What the figures mean, made of them alone. Also where the limiter did not help. */
export function surgeVerdict(figures: SurgeFigures): readonly string[] {
  return [
    refusedNobody(figures),
    reaction(figures),
    ...asking(figures),
    help(figures),
    ...steps(figures),
    price(figures),
    ...unsteady(figures),
  ]
}

function refusedNobody(figures: SurgeFigures): string {
  const all = partsOf(figures).reduce((sum, { answers }) => sum + answers, 0)
  return `${all} light questions, ${all} answers with data, no 429 and no other error. The gateway counted the same.`
}

/** What the limit did, and why: the first fall since the job began. */
function reaction(figures: SurgeFigures): string {
  const { limited, expectedP90Ms } = figures
  const before = limitAt(limited, limited.jobFromMs)
  const early = before < SLOTS ? ` It was at ${before} before the job began: something else had slowed the engine.` : ''
  const [fell] = fallsOf(limited)
  if (fell === undefined) {
    return before < SLOTS
      ? `The limit did not fall any further beside the job.${early}`
      : `The limit did not fall in this run: the smoothed p90 was never 1.2 times the ordinary ${ms(expectedP90Ms)}, or windows had fewer than ${MIN_SAMPLES} answers.`
  }
  return (
    `The limiter was told of no error, only of latency. It began to act ${seconds(fell.atMs - limited.jobFromMs)} after the job began, ` +
    `when the smoothed p90 was ${fell.ratio?.toFixed(1)} times the ordinary ${ms(expectedP90Ms)}, ` +
    `and lowered the limit from ${before} to ${lowestLimit(limited)}.${early}`
  )
}

/** Why the limit opened in the middle of the job, where it did (L21). */
function asking({ limited }: SurgeFigures): readonly string[] {
  const asked = askedOf(limited)
  if (asked === null) return []
  const { answer } = asked
  const why =
    `${seconds(asked.atMs - limited.jobFromMs)} after the job began the limit opened for three windows, ` +
    'not because the engine had recovered, but to ask whether it is us (L21)'
  if (answer === null) return [`${why}; there was no answer before the end.`]
  if (answer === 'open')
    return [`${why}: the engine got no slower, so it was not us, and what is ordinary was taken anew from that.`]
  return [`${why}: the engine got slower, so it was us, and the limit went back to ${answer}.`]
}

function help(figures: SurgeFigures): string {
  const { free, limited } = figures
  const times = `Beside the callers the job took ${factor(slowdown(figures, free))} as long as alone, and with the limiter ${factor(slowdown(figures, limited))}`
  if (lowestLimit(limited) === SLOTS)
    return `${times}. Nothing was limited, so what differs is not the limiter's doing.`
  if (free.jobMs < limited.jobMs * SAME) return `${times}: in this run the limiter did not help the job.`
  return `${times}: ${seconds(free.jobMs - limited.jobMs)} less.`
}

/** What the other controller came to. */
function steps(figures: SurgeFigures): readonly string[] {
  const { windowed } = figures
  if (windowed === null) return []
  return [
    `In steps (windowed) it took ${factor(slowdown(figures, windowed))} as long, with a limit of ${lowestLimit(windowed)} at the lowest; ` +
      `the callers got ${windowed.surge.perSecond.toFixed(0)} answers a second, nine of ten within ${ms(windowed.surge.tookMs)}.`,
  ]
}

function price({ free, limited }: SurgeFigures): string {
  return (
    `Who pays: the callers, who wait for a slot. Beside the job they got ${limited.surge.perSecond.toFixed(0)} answers a second instead of ` +
    `${free.surge.perSecond.toFixed(0)}, and nine of ten within ${ms(limited.surge.tookMs)} instead of ${ms(free.surge.tookMs)}, the wait included.`
  )
}

/** What was measured twice and should be alike: where it is not, something else ran. */
function unsteady({ aloneMs: [before, after], free, limited }: SurgeFigures): readonly string[] {
  const differences = [
    ...(apart(before, after, STEADY_JOB)
      ? [`the job alone took ${seconds(before)} at first and ${seconds(after)} at the end`]
      : []),
    ...(apart(free.calm.engineMs, limited.calm.engineMs, STEADY_CALM)
      ? [
          `before the job the p90 was ${ms(free.calm.engineMs)} in the first part and ${ms(limited.calm.engineMs)} in the second`,
        ]
      : []),
  ]
  if (differences.length === 0) return []
  return [
    `The machine had other work: ${differences.join(', and ')}. Do not make much of this run; play it again when nothing else runs.`,
  ]
}

const apart = (one: number, other: number, most: number): boolean => Math.max(one, other) > most * Math.min(one, other)

const ms = (value: number): string => `${Math.round(value)} ms`
const seconds = (value: number): string => `${(value / 1000).toFixed(1)} s`
const factor = (value: number): string => `${value.toFixed(1)} times`
