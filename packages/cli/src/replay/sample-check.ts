import { counted } from '../output/figures.js'
import { UsageError } from '../usage-error.js'
import type { ReplayOptions } from './command.js'
import type { RecordedLimiter } from './recorded-limiter.js'
import type { Replayed, ReplayedTrace } from './replay-trace.js'
import { attemptsOf, windowText } from './words.js'

/** Tried in this order. */
const LONGER = [30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000]

/**
 * @throws UsageError where no window counts: says how many samples there were, and how many it takes
 */
export function checkWindows(file: string, { lines, replayed, doubtsTime }: ReplayedTrace): void {
  if (replayed.some(({ result }) => result.whole.countedWindows > 0)) return
  for (const { result } of replayed.slice(0, 1)) {
    const { whole, options, mostSamples } = result
    const { windowMs, minSamples } = options
    if (attemptsOf(whole) === 0)
      throw new UsageError(
        lines === 0 ? `${file} is empty: it holds no line of data` : `${file}: each of its lines has a count of 0`,
      )
    if (whole.samples === 0) throw new UsageError(`${file}: no attempt succeeded, so there is no latency to replay`)
    const mean = whole.samples / whole.windows
    const longer =
      whole.samples < 2 * minSamples
        ? undefined
        : LONGER.find((ms) => (ms / windowMs) * mean >= minSamples * 1.2 && ms > windowMs)
    // Fewer samples say less of a window; so that comes last.
    const remedies = [
      ...(longer === undefined ? [] : [`a longer window, --window ${windowText(longer)}`]),
      ...(mostSamples > 1 ? [`fewer samples, --min-samples ${Math.max(1, Math.floor(mean))}`] : []),
    ]
    const tried = [
      ...(doubtsTime ? ['--time-unit ms, if that is what times are'] : []),
      ...(remedies.length > 0 ? [remedies.join(', and only then ')] : []),
    ]
    throw new UsageError(
      `${file}: no window counts. It takes ${counted(minSamples, 'sample')} in ${windowText(windowMs)}; ${whole.windows === 1 ? 'the only window has' : `${whole.windows} windows have ${mean.toFixed(1)} on average, and the fullest has`} ${mostSamples}${tried.length > 0 ? `. Try ${tried.join('; else ')}` : ''}`,
    )
  }
}

/** What makes a result say less than it seems to. */
export function warningsOf(
  replayed: readonly Replayed[],
  recorded: RecordedLimiter | null,
  latency: boolean,
): readonly string[] {
  const several = replayed.length > 1
  const other =
    recorded !== null && !recorded.enforced && latency
      ? ['recorded with the limit not in force (kill switch or shadow): this is what it would have done']
      : []
  const each = replayed.flatMap(({ name, prior, result: { whole, options } }) => {
    const at = several ? `${name}: ` : ''
    const { countedWindows, windows } = whole
    if (countedWindows === 0)
      return [`${at}no window has the ${counted(options.minSamples, 'sample')} that it takes to count`]
    if (prior === null && countedWindows <= options.warmupWindows)
      return [
        `${at}windows that count: ${countedWindows}, all within the warm-up (${counted(options.warmupWindows, 'window')}) that teaches what is ordinary: latency could not move the limit; --expected-p90 says it beforehand`,
      ]
    if (countedWindows < windows / 2)
      return [
        `${at}${windows - countedWindows} of ${windows} windows have fewer than ${counted(options.minSamples, 'sample')}, and changed nothing`,
      ]
    return []
  })
  return [...other, ...each]
}

/** What was asked for, and is in the JSON alone. */
export function unseenOf({ period, json }: ReplayOptions, replayed: readonly Replayed[]): readonly string[] {
  if (period === undefined || json || replayed.length < 2) return []
  return ['--period: a comparison is of the whole trace; --json has the periods of each, and so has one choice alone']
}
