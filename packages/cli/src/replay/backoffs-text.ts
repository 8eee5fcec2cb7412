import type { Backoff, BackoffAsk, ReplayResult } from '@sluice/core/replay'
import { table } from '../output/table.js'
import { MOST_ROWS, more } from './few-rows.js'
import { timeText } from './words.js'

/** When it backed off, when it was back, and when it was open only to ask whether it is us (L21). */
export function backoffsText({ backoffs, backoffsInAll, asksInAll }: ReplayResult): string[] {
  if (backoffsInAll === 0) return ['it never backed off']
  const rows = backoffs.slice(0, MOST_ROWS)
  const asks = rows.flatMap((backoff) => backoff.asks).slice(0, MOST_ROWS)
  return [
    ...table([['backed off', 'recovered', 'lowest', 'by'], ...rows.map(rowOf)], [1, 3]),
    ...more(backoffsInAll - rows.length, 'time'),
    ...(asksInAll === 0
      ? []
      : ['', 'opened to ask whether it is us, which is no recovery (L21):', ...asks.map(askText)]),
    ...more(asksInAll - asks.length, 'question'),
  ]
}

const rowOf = ({ fromMs, untilMs, lowestLimit, latency, throttle, asks }: Backoff): string[] => [
  timeText(fromMs),
  recoveryText(untilMs, asks),
  `${lowestLimit}`,
  [...(latency ? ['latency'] : []), ...(throttle ? ['throttle'] : [])].join(', '),
]

/** The server has not recovered where its present was accepted: it is as slow as before. */
function recoveryText(untilMs: number | null, asks: readonly BackoffAsk[]): string {
  if (untilMs === null) return 'not by the end'
  const isAccepted = asks.some((ask) => ask.accepted === true && ask.untilMs === untilMs)
  return isAccepted ? `no, accepted ${timeText(untilMs)}` : timeText(untilMs)
}

function askText({ fromMs, untilMs, accepted }: BackoffAsk): string {
  const asked = `asked at ${timeText(fromMs)}`
  if (untilMs === null || accepted === null) return `${asked}: no answer by the end`
  const at = `${asked}, answered at ${timeText(untilMs)}`
  return accepted ? `${at}: it was not us, accepted the present as ordinary` : `${at}: it was us`
}
