import type { ReplaySummary } from '@sluice/core/replay'
import { counted, latencyText, shareText } from '../output/figures.js'
import { table } from '../output/table.js'
import { printable } from '../output/voice.js'
import { backoffsText } from './backoffs-text.js'
import { MOST_ROWS, more } from './few-rows.js'
import type { RecordedLimiter } from './recorded-limiter.js'
import type { Replayed } from './replay-trace.js'
import { sketch } from './sketch.js'
import { attemptsOf, timeText, windowText } from './words.js'

/** What came of it, for one screen. */
export function asText(file: string, replayed: readonly Replayed[], recorded: RecordedLimiter | null): string {
  const [first] = replayed
  if (first === undefined) return ''
  const { whole } = first.result
  // A name may hold what a terminal obeys.
  const name = printable(file).replaceAll('\n', ' ')
  const head = `${name}: ${counted(attemptsOf(whole), 'attempt')}, ${timeText(whole.fromMs)} to ${timeText(whole.toMs)}`
  const made =
    recorded === null
      ? []
      : [`recorded of a limiter made ${timeText(recorded.createdAtMs)}: set as that one was, but for what flags say`]
  return [head, ...made, '', ...(replayed.length > 1 ? comparison(replayed) : single(first))].join('\n')
}

/** What is shown of shedding: nothing where no trace says who waited (L20). */
const shedCell = (isShown: boolean, { sheddingShare }: ReplaySummary): string[] =>
  isShown ? [sheddingShare === null ? '-' : shareText(sheddingShare)] : []

function single({ result }: Replayed): string[] {
  const { whole, periods, options } = result
  const { countedWindows, windows, throttledWindows, meanLimit } = whole
  const rows = periods.slice(0, MOST_ROWS)
  const waits = whole.sheddingShare !== null
  return [
    `${counted(windows, 'window')} of ${windowText(options.windowMs)}, ${countedWindows} of them with the ${counted(options.minSamples, 'sample')} it takes to count`,
    `limit ${meanLimit.toFixed(1)} of ${options.maxConcurrent} on average, below ${options.maxConcurrent} in ${shareText(throttledWindows / windows)} of the windows`,
    '',
    ...table([
      ['period', 'mean limit', 'lowest', 'throttled', ...(waits ? ['shedding'] : []), 'p90', 'highest p90', 'baseline'],
      ...[...rows, whole].map((summary) => summaryRow(summary, waits)),
    ]),
    ...more(periods.length - rows.length, 'period'),
    '',
    ...backoffsText(result),
    '',
    ...sketch(result),
  ]
}

const summaryRow = (summary: ReplaySummary, waits: boolean): string[] => [
  summary.period?.replace(/T00:00:00\.000Z$|:00\.000Z$/, '') ?? 'all',
  summary.meanLimit.toFixed(1),
  `${summary.lowestLimit}`,
  shareText(summary.throttledShare),
  ...shedCell(waits, summary),
  ...[summary.p90Ms, summary.highestP90Ms, summary.baselineMs].map(latencyText),
]

function comparison(replayed: readonly Replayed[]): string[] {
  const waits = replayed.some(({ result }) => result.whole.sheddingShare !== null)
  const shedding = waits ? ['shedding'] : []
  return table([
    [
      'thresholds',
      'mean limit',
      'lowest',
      'throttled',
      ...shedding,
      'times backed off',
      'baseline',
      'windows that count',
    ],
    ...replayed.map(({ name, result: { whole, backoffsInAll } }) => [
      name,
      whole.meanLimit.toFixed(1),
      `${whole.lowestLimit}`,
      shareText(whole.throttledShare),
      ...shedCell(waits, whole),
      `${backoffsInAll}`,
      latencyText(whole.baselineMs),
      `${whole.countedWindows} of ${whole.windows}`,
    ]),
  ])
}
