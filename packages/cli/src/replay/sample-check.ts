import { UsageError } from '../usage-error.js'
import type { Replayed } from './replay.js'
import { windowText } from './words.js'

/** Tried in this order. */
const LONGER = [30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000]

/** @throws UsageError where no window counts: says how many samples there were, and how many it takes */
export function checkWindows(file: string, replayed: readonly Replayed[]): void {
  if (replayed.some(({ result }) => result.whole.countedWindows > 0)) return
  for (const { result } of replayed.slice(0, 1)) {
    const { whole, options, mostSamples } = result
    const { windowMs, minSamples } = options
    if (whole.samples + whole.throttles + whole.failures === 0)
      throw new UsageError(`${file} is empty: it holds no line of data`)
    if (whole.samples === 0) throw new UsageError(`${file}: no attempt succeeded, so there is no latency to replay`)
    const mean = whole.samples / whole.windows
    const longer =
      whole.samples < 2 * minSamples
        ? undefined
        : LONGER.find((ms) => (ms / windowMs) * mean >= minSamples * 1.2 && ms > windowMs)
    const remedies = [
      ...(longer === undefined ? [] : [`--window ${windowText(longer)}`]),
      ...(mostSamples > 1 ? [`--min-samples ${Math.max(1, Math.floor(mean))}`] : []),
    ]
    throw new UsageError(
      `${file}: no window counts. It takes ${minSamples} samples in ${windowText(windowMs)}; ${whole.windows === 1 ? 'the only window has' : `${whole.windows} windows have ${mean.toFixed(1)} on average, and the fullest has`} ${mostSamples}${remedies.length > 0 ? `. Try ${remedies.join(' or ')}` : ''}`,
    )
  }
}

/** What makes a result say less than it seems to. */
export function warningsOf(replayed: readonly Replayed[]): readonly string[] {
  const several = replayed.length > 1
  return replayed.flatMap(({ name, prior, result: { whole, options } }) => {
    const at = several ? `${name}: ` : ''
    const { countedWindows: counted, windows } = whole
    if (counted === 0) return [`${at}no window has the ${options.minSamples} samples that it takes to count`]
    if (prior === null && counted <= options.warmupWindows)
      return [
        `${at}only ${counted} windows count, and the first ${options.warmupWindows} teach what is ordinary: latency could not move the limit; --expected-p90 says it beforehand`,
      ]
    if (counted < windows / 2)
      return [
        `${at}${windows - counted} of ${windows} windows have fewer than ${options.minSamples} samples, and changed nothing`,
      ]
    return []
  })
}
