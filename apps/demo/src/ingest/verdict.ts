import { freshnessIn, type IngestFigures, noticesOf } from './figures.js'
import { RUNAWAY } from './sources.js'

/** How much later rows of the others may be seen beside the runaway, where the machine alone makes them late. */
const AS_BEFORE = 2

/** What speaks against its having been shown, a sentence each. */
export function doubtsAboutIngest(figures: IngestFigures): readonly string[] {
  const { moments } = figures
  return [
    ...(moments.openedMs === null ? ['The breaker of the runaway did not open.'] : []),
    ...(delayedNotices(figures).length === 0 ? ['Its owner was not told that it is delayed.'] : []),
    ...othersNotices(figures).map(({ message }) => `Another was not left alone: ${message}`),
    ...(areFresh(figures) ? [] : ['Rows of the others were seen later than before the runaway began.']),
    ...(moments.recoveredMs === null ? ['The runaway was not written as usual again in time.'] : []),
    ...countDoubts('the flights', figures.countedOthers),
    ...countDoubts('the events of the runaway', figures.countedRunaway),
  ]
}

/** Nine of ten rows of the others within two flush intervals (I8), or on a slow machine not much later than before. */
function areFresh(figures: IngestFigures): boolean {
  const [before, beside] = [freshnessIn(figures, 'before'), freshnessIn(figures, 'beside')]
  if (before === null || beside === null) return false
  return beside.nineOfTenMs <= Math.max(2 * figures.flushMs, AS_BEFORE * before.nineOfTenMs)
}

function countDoubts(what: string, { sent, rows, events }: IngestFigures['countedOthers']): readonly string[] {
  if (rows === sent && events === sent) return []
  return [`Of ${what} ${sent} were accepted, and ${rows} rows are in the engine, ${events} different ones.`]
}

/** What the figures mean, made of them alone: as much of it as was shown. */
export function ingestVerdict(figures: IngestFigures): readonly string[] {
  const { moments, countedOthers, countedRunaway } = figures
  const areKept = [countedOthers, countedRunaway].every((it) => countDoubts('', it).length === 0)
  const isOpened = moments.openedMs !== null && delayedNotices(figures).length > 0
  return [
    ...(areKept ? [kept(figures)] : []),
    ...(isOpened ? [opened(figures)] : []),
    ...(othersNotices(figures).length === 0 && areFresh(figures) ? [stayed(figures)] : []),
    ...(isOpened && moments.recoveredMs !== null ? [recovered(figures)] : []),
  ]
}

const delayedNotices = (figures: IngestFigures) => noticesOf(figures, RUNAWAY).filter(({ kind }) => kind === 'delayed')

const othersNotices = ({ notices }: IngestFigures) =>
  notices.filter(({ data_source, level }) => data_source !== RUNAWAY && level !== 'info')

function kept({ countedOthers, countedRunaway }: IngestFigures): string {
  return (
    `All ${countedOthers.sent} flights were sent as events and are in the engine, each once; so are the ` +
    `${countedRunaway.sent} events of the runaway, those included that waited.`
  )
}

function opened(figures: IngestFigures): string {
  const { openedMs, runawayMs } = figures.moments
  const [told] = delayedNotices(figures)
  return `Its breaker opened ${seconds((openedMs ?? 0) - runawayMs)} after it ran away, and its owner was told: “${told?.message}”`
}

function stayed(figures: IngestFigures): string {
  const [before, beside] = [freshnessIn(figures, 'before'), freshnessIn(figures, 'beside')]
  const bound = 2 * figures.flushMs
  const [beforeMs, besideMs] = [before?.p99Ms ?? 0, beside?.p99Ms ?? 0]
  const meant = `the two flush intervals (${seconds(bound)}) that they should be in`
  const within =
    besideMs <= bound
      ? `that is within ${meant}`
      : beforeMs > bound
        ? `both are above ${meant}: the machine has other work`
        : `that is above ${meant}`
  return (
    `The others were not delayed, and had no notice. 99 of 100 of their requests were seen ${seconds(besideMs)} after they were ` +
    `sent, and ${seconds(beforeMs)} before there was a runaway; ${within}.`
  )
}

function recovered(figures: IngestFigures): string {
  const { stoppedMs, recoveredMs } = figures.moments
  const holds = delayedNotices(figures).length
  const most = Math.max(0, ...figures.sights.map(({ rows }) => rows))
  return (
    `Up to ${most} of its rows waited. ${seconds((recoveredMs ?? 0) - stoppedMs)} after it stopped, and ` +
    `${holds === 1 ? 'one hold' : `${holds} holds`} after it began, all were written, and it flowed again.`
  )
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
