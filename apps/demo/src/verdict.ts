import type { Plan } from '@sluice/gateway'
import type { Figures } from './play.js'

/** What the figures mean, a sentence or two for each client, made of the figures alone. */
export function verdictOf(figures: readonly Figures[], quota: Plan): readonly string[] {
  return figures.map((it) =>
    [sentenceOf(it), it.failures > 0 ? it.ifLost : paceOf(it, quota)].filter(Boolean).join(' '),
  )
}

function sentenceOf({ name, calls, sends, earlyKnocks, failures }: Figures): string {
  const repeats = sends - calls
  const lost =
    failures === 0 ? `got ${calls === 1 ? 'its answer' : `all ${calls} answers`}` : `lost ${failures} of ${calls} calls`
  if (repeats === 0) return `${name} sent each call once and ${lost}.`
  const what = repeats === 1 ? '1 repeat' : `${repeats} repeats`
  return `${name} sent ${what}, ${shareOf(earlyKnocks, repeats)}before the stated time, and ${lost}.`
}

function shareOf(part: number, whole: number): string {
  if (whole === 1) return part === 0 ? 'not ' : ''
  if (part === 0) return 'none '
  return part === whole ? 'all of them ' : `${part} of them `
}

/** How near a client that got everything came to what the quota allows. */
function paceOf({ calls, elapsedMs }: Figures, { ratePerSecond, burst }: Plan): string | undefined {
  const leastMs = ((calls - burst) / ratePerSecond) * 1000
  if (leastMs <= 0) return undefined
  return `Nobody can have them in less than ${seconds(leastMs)} at this quota; it took ${seconds(elapsedMs)}.`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
