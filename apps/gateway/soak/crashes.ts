import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startClickHouse, type TestClickHouse } from '../test/nodes/servers.js'
import { GatewayProcess } from './gateway-process.js'
import { type Audit, sumOf } from './ledger.js'
import { Load } from './load.js'
import type { Report } from './report.js'
import { restarted } from './restarted.js'
import { ledgersOf, Stand } from './stand.js'
import { percentile } from './statistics.js'
import { until } from './until.js'

/** How long it goes on. */
export interface CrashesOptions {
  readonly rounds: number
  /** Draws from [0, 1), for the moments. */
  readonly random: () => number
}

const SOURCES = ['clicks', 'views', 'orders']
const VICTIMS = ['gateway', 'engine', 'server', 'gateway of a server'] as const
const PLAN = { flush_interval_ms: 400 }

/**
 * `kill -9` at random moments under load, of the gateway, of the process of its embedded engine, and of a ClickHouse server:
 * after each all is started again and drained, and the engine is read.
 */
export async function crashes(report: Report, { rounds, random }: CrashesOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-crashes-'))
  const servers: TestClickHouse[] = []
  const gateways: GatewayProcess[] = []
  try {
    const server = await startClickHouse()
    servers.push(server)
    const { url, user, password } = server
    const own = await GatewayProcess.start({ folder: join(folder, 'embedded') })
    gateways.push(own)
    const nodes = [{ name: 'server-1', url, user, password }]
    const withServer = await GatewayProcess.start({ folder: join(folder, 'server'), embedded: 0, nodes })
    gateways.push(withServer)
    const embedded = new Stand('embedded', own, [], ledgersOf(SOURCES))
    const remote = new Stand('server', withServer, servers, ledgersOf(SOURCES))
    for (const stand of [embedded, remote]) await stand.define(PLAN)
    const found = new Map<string, Audit[]>()
    const tookMs = new Map<string, number[]>()
    for (let round = 0; round < rounds; round++) {
      const victim = VICTIMS[round % VICTIMS.length] ?? 'gateway'
      const stand = round % VICTIMS.length < 2 ? embedded : remote
      const from = stand.mark()
      report.progress(`round ${round + 1} of ${rounds}: kill -9 of the ${victim}`)
      const sinceMs = performance.now()
      await killed(stand, victim, random)
      await stand.drained()
      tookMs.set(victim, [...(tookMs.get(victim) ?? []), performance.now() - sinceMs])
      const audit = await stand.audit(from)
      found.set(victim, [...(found.get(victim) ?? []), audit])
      if (audit.lost + audit.doubled + audit.inPart > 0)
        report.note(`round ${round + 1}, ${victim}: ${JSON.stringify(audit)}`)
    }
    for (const [victim, audits] of found) {
      const { acknowledged, lost, doubled, inPart, refusedButThere, unknownAndThere } = sumOf(audits)
      const times = `${audits.length} × kill -9 of the ${victim}`
      const there = `${acknowledged} rows acknowledged, ${lost} lost, ${doubled} there twice`
      report.check(times, acknowledged > 0 && lost + doubled + inPart + refusedButThere === 0, there)
      const round = percentile(tookMs.get(victim) ?? [], 0.5) / 1000
      report.figure(
        `${victim}: rows without an answer that are there; a round, s`,
        `${unknownAndThere}; ${round.toFixed(1)}`,
      )
    }
    for (const stand of [embedded, remote]) {
      const { acknowledged, lost, doubled } = await stand.audit()
      const there = `${acknowledged} rows, ${lost} lost, ${doubled} there twice`
      report.check(`All rounds on the ${stand.name}, read at the end`, lost + doubled === 0, there)
    }
    report.figure('Starts refused while the engine of a killed gateway still ran', own.refusedStarts)
  } finally {
    await Promise.all(gateways.map((it) => it.close()))
    await Promise.all(servers.map((it) => it.close()))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One crash under load, and everything started again. */
async function killed(stand: Stand, victim: (typeof VICTIMS)[number], random: () => number): Promise<void> {
  const { gateway, servers } = stand
  const loads = [...stand.ledgers].map(
    ([source, ledger]) => new Load({ api: gateway.api, source, ledger, senders: 3, rows: 20, pauseMs: 5 }),
  )
  await sleep(100 + 700 * random())
  if (victim === 'engine') {
    const before = gateway.enginePid
    if (before === 0) throw new Error('there is no process of an engine to kill')
    process.kill(before, 'SIGKILL')
    await until('there is an engine again', () => ![0, before].includes(gateway.enginePid))
    await sleep(500 * random())
  } else if (victim === 'server') {
    const [server] = servers
    await server?.kill()
    await sleep(500 * random())
    if (server) await restarted(server)
  } else await gateway.restart()
  await sleep(100)
  await Promise.all(loads.map((load) => load.stop()))
}
