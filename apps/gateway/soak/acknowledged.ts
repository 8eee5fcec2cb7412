import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GatewayProcess } from './gateway-process.js'
import { AUDITED_COLUMNS } from './ledger.js'
import { linesOf } from './load.js'
import { inLanes } from './rates.js'
import type { Report } from './report.js'
import { percentile } from './statistics.js'

/** The spool's own (`groupMs`). */
const FSYNC_INTERVAL_MS = 5
const LANES = 4
/** Batches before any is timed: by then what is often run has been compiled. */
const WARM = 3000

/** How long it takes until a small batch is answered 202, beside what the disk and a request without it take. */
export async function acknowledged(report: Report, requests: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-fsync-'))
  const gateway = await GatewayProcess.start({ folder, isQuiet: true })
  const { api } = gateway
  try {
    await api.define('clicks', { columns: AUDITED_COLUMNS })
    const sent: number[] = []
    const asked: number[] = []
    const timed = async (times: number[], act: () => Promise<{ status: number }>) => {
      const sinceMs = performance.now()
      const { status } = await act()
      times.push(performance.now() - sinceMs)
      if (status >= 300) throw new Error(`answered ${status}`)
    }
    const send = (i: number) => api.send('clicks', linesOf({ batch: i + 1, rows: 1 }), false)
    await inLanes(LANES, WARM, async (i) => void (await send(i)))
    await inLanes(LANES, requests, async (i) => {
      await timed(sent, () => send(i))
      await timed(asked, () => api.ask('GET', '/v1/datasources?limit=1'))
    })
    const disk = await fsyncs(join(folder, 'probe'), Math.min(500, requests))
    const p99 = percentile(sent, 0.99)
    const found = `p50 ${inMs(percentile(sent, 0.5))}, p99 ${inMs(p99)}`
    report.check(
      `A 202 within twice the fsync interval (${2 * FSYNC_INTERVAL_MS} ms), p99`,
      p99 <= 2 * FSYNC_INTERVAL_MS,
      found,
    )
    for (const [name, times] of [
      ['A request that writes nothing', asked],
      ['One fdatasync of this disk', disk],
    ] as const)
      report.figure(name, `p50 ${inMs(percentile(times, 0.5))}, p99 ${inMs(percentile(times, 0.99))}`)
  } finally {
    await gateway.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fsyncs(path: string, count: number): Promise<number[]> {
  const file = await open(path, 'w')
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const sinceMs = performance.now()
    await file.writeFile('a few bytes, as one small batch has them')
    await file.datasync()
    times.push(performance.now() - sinceMs)
  }
  await file.close()
  return times
}

const inMs = (ms: number): string => `${ms.toFixed(1)} ms`
