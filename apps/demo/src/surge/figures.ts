import type { ServerCount } from '../server-counts.js'
import type { Answer } from './ask.js'
import type { NodeLimit } from './onlooker.js'

/** What is known of the limit at a moment, in ms since the calm began. */
export interface Sight extends Pick<NodeLimit, 'limit' | 'p90_ms' | 'ratio'> {
  readonly atMs: number
}

/** One part of the act, with the limiter or without. Moments are ms since the calm began. */
export interface Part {
  /** How long the job took beside the traffic. */
  readonly jobMs: number
  readonly jobFromMs: number
  readonly endMs: number
  readonly calm: Light
  /** Beside the job. */
  readonly surge: Light
  /** Answers of all callers that were no data, by status; empty: there were none. */
  readonly refusals: readonly number[]
  /** Answers in all, from the first on. */
  readonly answers: number
  /** The same as the gateway counted it. */
  readonly counted: ServerCount
  readonly sights: readonly Sight[]
}

/** How the light questions fared over some time. */
export interface Light {
  readonly answers: number
  readonly perSecond: number
  /** p90 of what the engine took, in ms. */
  readonly engineMs: number
  /** p90 of what callers waited in all, in ms. */
  readonly tookMs: number
}

/** What came of the act. */
export interface SurgeFigures {
  /** The job without traffic, before and after, in ms. */
  readonly aloneMs: readonly [number, number]
  readonly free: Part
  /** With the steps of L6; null: it was not played with them. */
  readonly windowed: Part | null
  /** With the limiter as it comes. */
  readonly limited: Part
  /** What the limiter was told to expect, in ms. */
  readonly expectedP90Ms: number
}

/** All parts that were played, in their order. */
export const partsOf = ({ free, windowed, limited }: SurgeFigures): readonly Part[] =>
  windowed === null ? [free, limited] : [free, windowed, limited]

/** @throws Error where nothing was answered in that time: then there is nothing to tell */
export function lightOf(answers: readonly Answer[], fromMs: number, toMs: number): Light {
  const those = answers.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
  if (those.length === 0)
    throw new Error(`Nothing was answered in ${Math.round(toMs - fromMs)} ms: is the machine that busy?`)
  return {
    answers: those.length,
    perSecond: (those.length * 1000) / (toMs - fromMs),
    engineMs: p90(those.flatMap(({ engineMs }) => (engineMs === null ? [] : [engineMs]))),
    tookMs: p90(those.map(({ tookMs }) => tookMs)),
  }
}

/** Nearest rank, as the limiter has it (L3). */
function p90(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.9) - 1] ?? Number.NaN
}

/** How many times as long as alone. */
export function slowdown({ aloneMs: [before, after] }: Pick<SurgeFigures, 'aloneMs'>, part: Part): number {
  return part.jobMs / ((before + after) / 2)
}

/** The limit at a moment; before it was first seen, what was seen first. */
export function limitAt({ sights }: Part, atMs: number): number {
  return (sights.filter((sight) => sight.atMs <= atMs).at(-1) ?? sights[0])?.limit ?? Number.NaN
}

/** What was seen while the job ran and the limit was lower than when it began. */
export function fallsOf(part: Part): readonly Sight[] {
  const { sights, jobFromMs, jobMs } = part
  const before = limitAt(part, jobFromMs)
  return sights.filter(({ atMs, limit }) => atMs > jobFromMs && atMs <= jobFromMs + jobMs && limit < before)
}

/** While the job ran. */
export function lowestLimit(part: Part): number {
  return Math.min(limitAt(part, part.jobFromMs), ...fallsOf(part).map(({ limit }) => limit))
}
