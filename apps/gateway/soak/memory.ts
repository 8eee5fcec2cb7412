import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayProcess } from './gateway-process.js'
import { AUDITED_COLUMNS, Ledger } from './ledger.js'
import { Load } from './load.js'
import type { Report } from './report.js'
import { percentile } from './statistics.js'

const SOURCES = 8
const SAMPLE_MS = 1000
/** What a garbage collector may leave for later. */
const GROWTH = 1.15

/** A steady load: what the gateway has in memory in the last third of it is what it had in the second. */
export async function memory(report: Report, seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-memory-'))
  const gateway = await GatewayProcess.start({ folder, isQuiet: true })
  const { api } = gateway
  try {
    const names = Array.from({ length: SOURCES }, (_, i) => `source_${i + 1}`)
    for (const source of names) await api.define(source, { columns: AUDITED_COLUMNS })
    const loads = names.map((source) => {
      return new Load({ api, source, ledger: new Forgetful(), senders: 3, rows: 50, pauseMs: 50 })
    })
    const samples: number[] = []
    const endMs = performance.now() + seconds * 1000
    while (performance.now() < endMs) {
      await sleep(SAMPLE_MS)
      samples.push(gateway.residentKb / 1024)
      report.progress(`${samples.length} of ${seconds} s: ${(samples.at(-1) ?? 0).toFixed(0)} MiB`)
    }
    await Promise.all(loads.map((load) => load.stop()))
    const third = Math.floor(samples.length / 3)
    const [first, second, last] = [0, third, 2 * third].map((from) =>
      percentile(samples.slice(from, from + third), 0.5),
    )
    const isFlat = (last ?? Number.NaN) <= GROWTH * (second ?? Number.NaN)
    const found = `${[first, second, last].map((it) => it?.toFixed(0)).join(', ')} MiB in its thirds`
    report.check(`Memory of the gateway over ${seconds} s of steady load`, isFlat, found)
  } finally {
    await gateway.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Nothing is audited here, and what the soak remembers is not to grow either. */
class Forgetful extends Ledger {
  override begin(rows: number): ReturnType<Ledger['begin']> {
    this.sent.clear()
    return super.begin(rows)
  }
}
