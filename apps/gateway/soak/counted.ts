import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GatewayProcess } from './gateway-process.js'
import { AUDITED_COLUMNS, MOST_ROWS } from './ledger.js'
import { linesOf } from './load.js'
import { inLanes } from './rates.js'
import type { Report } from './report.js'

/** Long enough for a slow machine: whose oldest event is older than five of them has its writes held back (I2). */
const FLUSH_MS = 2000

/** Rows that were answered "written" are all counted, by the next query. */
export async function counted(report: Report, rows: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-counted-'))
  const gateway = await GatewayProcess.start({ folder, isQuiet: true })
  const { api } = gateway
  try {
    const partition = { column: 'day', by: 'day' }
    await api.define('million', { columns: AUDITED_COLUMNS, partition, plan: { flush_interval_ms: FLUSH_MS } })
    const sql = 'SELECT count() AS n, uniqExact(id) AS u FROM million'
    await api.must('PUT', '/v1/pipes/counted', { sql })
    const sinceMs = performance.now()
    let written = 0
    await inLanes(32, rows / MOST_ROWS, async (i) => {
      const { status, text } = await api.send('million', linesOf({ batch: i + 1, rows: MOST_ROWS }), true)
      if (status !== 200) throw new Error(`answered ${status}: ${text}`)
      written += JSON.parse(text).accepted
      report.progress(`${written} of ${rows} rows are written`)
    })
    const seconds = (performance.now() - sinceMs) / 1000
    const [{ n, u }] = JSON.parse(await api.must('GET', '/v1/pipes/counted')).data
    const isKept = written === rows && Number(n) === rows && Number(u) === rows
    report.check(`${rows} rows answered 200 with wait=true, and counted`, isKept, `${n} rows, ${u} different ones`)
    report.figure('… which took', `${seconds.toFixed(0)} s`)
  } finally {
    await gateway.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
