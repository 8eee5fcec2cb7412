import { aligned } from '../aligned.js'
import type { Paint } from '../colour.js'
import { wrap } from '../wrap.js'
import { HOLD_MS, type IngestScene, TIMES } from './act.js'
import { type Freshness, freshnessIn, type IngestFigures, runawayRate } from './figures.js'
import { OTHERS } from './sources.js'
import { doubtsAboutIngest, ingestVerdict, seconds } from './verdict.js'

/** Said before the act. */
export function ingestIntroduction(flushMs: number): string {
  return [
    wrap(
      `Events in. The flights are sent to the gateway as events, by @sluice/client, into ${Object.keys(OTHERS).length} data sources. ` +
        'What is accepted is on disk, is gathered, and is written to ClickHouse once in a flush interval ' +
        `(${seconds(flushMs)}). Then another data source runs away: ${TIMES} times as many rows, and a partition for each, ` +
        'which means an insert for each. Its breaker opens: its writes are held back, and those of the others are not.',
    ),
    '',
    wrap(
      `So that a minute is enough to watch, writes are held back for ${HOLD_MS / 1000} s at a time in place of 60. The other thresholds are the defaults, and quotas stop none of the senders.`,
    ),
    '',
  ].join('\n')
}

/** `Runaway 6s: others 0.9 s; runaway delayed, 9000 rows wait, oldest 5.1 s`, as long as a terminal is wide */
export function ingestLine({ phase, phaseMs, sight, othersMs }: IngestScene): string {
  if (phase === 'sizing') return 'Trying how many inserts this engine can do…'
  if (phase === 'counting') return 'Sending what is left, and counting…'
  const name = { calm: 'Calm', runaway: 'Runaway', recovery: 'Recovery' }[phase]
  const others = `others ${othersMs === null ? '–' : seconds(othersMs)}`
  const at = `${name} ${Math.floor(phaseMs / 1000)}s`
  if (sight === null) return `${at}: ${others}`
  return `${at}: ${others}; runaway ${sight.state}, ${sight.rows} rows wait, oldest ${seconds(sight.oldestMs)}`
}

/**
 * Said after it.
 * @param load processes that wanted to run in the last minute, against the processors there are
 */
export function ingestReport(figures: IngestFigures, paint: Paint, load: Load): string {
  const doubts = doubtsAboutIngest(figures)
  const shown = [table(figures, paint), '', ...ingestVerdict(figures).map((it) => wrap(it))]
  if (doubts.length === 0) return shown.join('\n')
  const busy = load.perMinute > load.processors ? [`${loadText(load)}: its figures are not those of a quiet one.`] : []
  const said = [...doubts, ...busy].map((it) => wrap(it))
  return [...shown, '', paint('red', 'Not what was to be shown:'), ...said].join('\n')
}

/** What a machine has to do. */
export interface Load {
  readonly perMinute: number
  readonly processors: number
}

const loadText = ({ perMinute, processors }: Load): string =>
  `This machine has a load of ${perMinute.toFixed(1)} on ${processors} processor${processors === 1 ? '' : 's'}`

const HEAD = ['sent to seen', 'rows/s', 'half', '9 of 10', '99 of 100']

function table(figures: IngestFigures, paint: Paint): string {
  const oldestMs = Math.max(0, ...figures.sights.map(({ oldestMs }) => oldestMs))
  const rows = [
    HEAD,
    row('the others, before', freshnessIn(figures, 'before')),
    row('beside the runaway', freshnessIn(figures, 'beside')),
    row('while it recovers', freshnessIn(figures, 'after')),
    ['the runaway itself', runawayRate(figures).toFixed(0), '', '', `up to ${seconds(oldestMs)}`],
  ]
  return aligned(rows, paint)
}

function row(name: string, it: Freshness | null): string[] {
  if (it === null) return [name, '–', '–', '–', '–']
  return [name, it.rowsPerSecond.toFixed(0), seconds(it.halfMs), seconds(it.nineOfTenMs), seconds(it.p99Ms)]
}
