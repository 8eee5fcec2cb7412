import type { Plan } from '@sluice/gateway'
import type { Client } from './clients/client.js'
import type { Paint } from './colour.js'
import type { Figures } from './play.js'
import { renderTable } from './table.js'
import { verdictOf } from './verdict.js'
import { wrap } from './wrap.js'

/** What is about to be played. */
export interface Scene {
  readonly url: string
  readonly calls: number
  readonly quota: Plan
}

/** Said before the run: the service, the work, the clients. */
export function introduction(clients: readonly Client[], { url, calls, quota }: Scene): string {
  const width = Math.max(...clients.map(({ name }) => name.length))
  const first = wrap(
    `A gateway on ${url} answers saved queries over real flight data. Each token may ask it ` +
      `${quota.burst} times at once and ${quota.ratePerSecond} times a second; above that it answers 429 and says when to come back. ` +
      `Each client has a token of its own and asks the same ${calls} questions, all at once:`,
  )
  const lines = clients.map(({ name, manner }) => `  ${name.padEnd(width)}  ${manner}`)
  return [first, '', ...lines, ''].join('\n')
}

/** What a report needs beside the figures. */
export interface ReportOptions {
  readonly quota: Plan
  /** What speaks against the figures; empty where all is well. */
  readonly doubts: readonly string[]
  readonly paint: Paint
}

/** Said after it: the table, and what it means; or why it should not be believed. */
export function report(figures: readonly Figures[], { quota, doubts, paint }: ReportOptions): string {
  const legend =
    'Early knock: a send before the wait was over that the last 429 to the same call had stated. ' +
    'Failure: a call that ended without data.'
  const table = renderTable(figures, paint)
  if (doubts.length > 0) {
    const first = paint('red', wrap('These figures are not to be trusted:'))
    return [table, '', first, ...doubts.map((it) => wrap(it))].join('\n')
  }
  const agreed = `${legend} The gateway counted the same sends and refusals.`
  return [table, '', paint('dim', wrap(agreed)), '', ...verdictOf(figures, quota).map((it) => wrap(it))].join('\n')
}
