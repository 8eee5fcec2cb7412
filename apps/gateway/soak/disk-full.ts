import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GatewayProcess } from './gateway-process.js'
import { linesOf, outcomeOf } from './load.js'
import type { Report } from './report.js'
import { mountSmallDisk } from './small-disk.js'
import { ledgersOf, Stand } from './stand.js'
import { timeUntil } from './until.js'

/** Of which the spool leaves 32 alone. */
const MEGABYTES = 40
const ROWS = 1000
/** Requests after the first that was refused, so that many writes fail. */
const AFTER = 10
const RECOVERS_MS = 60_000
/** Long, so that its breaker bears that so much is written late: five of these (I2). */
const FLUSH_MS = 4000

/** The spool's disk runs full, once by its own backlog and once by something else: what is kept then, and whether it ends. */
export async function diskFull(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-disk-'))
  const disk = mountSmallDisk(join(folder, 'disk'), MEGABYTES)
  let gateway: GatewayProcess | undefined
  try {
    gateway = await GatewayProcess.start({ folder: join(folder, 'gateway'), spool: join(disk.folder, 'spool') })
    const stand = new Stand('small disk', gateway, [], ledgersOf(['clicks']))
    await stand.define({ flush_interval_ms: FLUSH_MS })
    const { api } = gateway
    const ledger = stand.ledgers.get('clicks')
    const send = async (): Promise<number> => {
      const batch = ledger?.begin(ROWS) ?? { batch: 0, rows: 0, outcome: 'unknown' as const }
      const { status } = await api.send('clicks', linesOf(batch), false)
      batch.outcome = outcomeOf(status)
      return status
    }
    const untilRefused = async (): Promise<number[]> => {
      const statuses: number[] = []
      while (statuses.length < 1000) {
        statuses.push(await send())
        if (statuses.at(-1) !== 202) break
      }
      for (let i = 0; i < AFTER; i++) statuses.push(...(await Promise.all([send(), send(), send(), send()])))
      return statuses
    }
    const recovers = async (what: string, statuses: readonly number[]): Promise<void> => {
      const counted = [...new Set(statuses)].map((it) => `${statuses.filter((one) => one === it).length} × ${it}`)
      report.check(
        `${what}: what does not fit is answered 503`,
        statuses.every((it) => it === 202 || it === 503),
        counted.join(', '),
      )
      const drainedMs = await timeUntil(async () => (await api.backlog('clicks')) === 0, RECOVERS_MS)
      if (drainedMs === null) report.note(await api.must('GET', '/v1/datasources/clicks'))
      report.check(`${what}: what was accepted is written`, drainedMs !== null, inSeconds(drainedMs))
      const openMs = await timeUntil(async () => (await send()) === 202, RECOVERS_MS)
      report.check(`${what}: events are accepted again`, openMs !== null, inSeconds(openMs))
    }

    await api.must('POST', '/v1/datasources/clicks/backlog/pause')
    const own = await untilRefused()
    report.figure(
      'Rows in a spool on a disk of 40 MiB before it was full',
      own.filter((it) => it === 202).length * ROWS,
    )
    await api.must('POST', '/v1/datasources/clicks/backlog/resume')
    await recovers('Full of its own backlog', own)

    await api.must('POST', '/v1/datasources/clicks/backlog/pause')
    for (let i = 0; i < 20; i++) await send()
    const ballast = join(disk.folder, 'ballast')
    try {
      writeFileSync(ballast, Buffer.alloc(disk.freeBytes + 4096))
    } catch {
      // It is as full as it gets.
    }
    const byOthers = await untilRefused()
    rmSync(ballast)
    await gateway.restart()
    await api.must('POST', '/v1/datasources/clicks/backlog/resume')
    await recovers('Full of something else, and killed', byOthers)

    await stand.drained()
    const { acknowledged, lost, doubled, inPart, unknownAndThere } = await stand.audit()
    report.check(
      'A full disk',
      lost + doubled + inPart === 0,
      `${acknowledged} rows acknowledged, ${lost} lost, ${doubled} twice`,
    )
    report.figure('Rows that were answered 503 and are there', unknownAndThere)
  } finally {
    await gateway?.close()
    disk.unmount()
    rmSync(folder, { recursive: true, force: true })
  }
}

const inSeconds = (ms: number | null): string =>
  ms === null ? `not within ${RECOVERS_MS / 1000} s` : `${(ms / 1000).toFixed(1)} s`
