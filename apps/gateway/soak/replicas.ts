import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startClickHouse, startZooKeeper, type TestClickHouse, type TestProcess } from '../test/nodes/servers.js'
import { TcpProxy } from '../test/nodes/tcp-proxy.js'
import { GatewayProcess } from './gateway-process.js'
import type { Audit } from './ledger.js'
import { Load } from './load.js'
import type { Report } from './report.js'
import { restarted } from './restarted.js'
import { ledgersOf, Stand } from './stand.js'
import { timeUntil, until } from './until.js'

/** How much of it there is. */
export interface ReplicasOptions {
  readonly sources: number
  /** How long each fault lasts. From 40 s on it is also watched how traffic moves and comes back. */
  readonly faultMs: number
  /** Draws from [0, 1). */
  readonly random: () => number
}

/** So long a fault lasts at least in which a node is ejected, and its blocks go elsewhere (30 s). */
const WHOLE_MS = 40_000
/** Five pings in a row that fail, each a second after the one before and waited for for a second (I6), and one flush. */
const GONE_MS = 13_000
/** A p90 of its last flushes that is three times the others' (I6): it takes some flushes until it is. */
const SLOWED_MS = 30_000
/** Ejections of 30 s each, as often as it was ejected meanwhile, a probe, and the slow start of 30 s. */
const BACK_MS = 180_000
const SLOW_START_MS = 30_000
const SLOW_MS = 300
/** So long that no breaker opens where the machine is busy: what is watched is what the nodes' faults do. */
const CALM_FLUSH_MS = 3000

interface Fault {
  readonly name: string
  /** What its node had is elsewhere after so long. */
  readonly movedMs: number
  readonly begin: (server: TestClickHouse, proxy: TcpProxy) => void | Promise<void>
  readonly end: (server: TestClickHouse, proxy: TcpProxy) => void | Promise<void>
}

const FAULTS: readonly Fault[] = [
  { name: 'killed', movedMs: GONE_MS, begin: (server) => server.kill(), end: (server) => restarted(server) },
  {
    name: 'slow',
    movedMs: SLOWED_MS,
    begin: (_, proxy) => proxy.set({ delayMs: SLOW_MS }),
    end: (_, proxy) => proxy.set({}),
  },
  { name: 'stopped', movedMs: GONE_MS, begin: (server) => server.pause(), end: (server) => server.resume() },
]

/** Three servers that are replicas: one after another is killed, slow and stopped, and data sources are rerouted under load. */
export async function replicas(report: Report, { sources: count, faultMs, random }: ReplicasOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-replicas-'))
  const ends: (() => Promise<unknown>)[] = []
  try {
    const zooKeeper: TestProcess = await startZooKeeper()
    ends.push(() => zooKeeper.close())
    const servers = await Promise.all([1, 2, 3].map(() => startClickHouse({ zooKeeper })))
    ends.push(() => Promise.all(servers.map((it) => it.close())))
    const proxies = await Promise.all(servers.map(({ port }) => TcpProxy.start(port)))
    ends.push(() => Promise.all(proxies.map((it) => it.close())))
    const nodes = servers.map(({ user, password }, i) => {
      const replicated = { path: '/sluice/tables', replica: `replica-${i + 1}` }
      return { name: `server-${i + 1}`, url: proxies[i]?.url, user, password, replicated }
    })
    const gateway = await GatewayProcess.start({ folder, embedded: 0, nodes })
    ends.push(() => gateway.kill())
    const names = Array.from({ length: count }, (_, i) => `source_${i + 1}`)
    const stand = new Stand('replicas', gateway, servers, ledgersOf(names))
    await stand.define({ flush_interval_ms: faultMs >= WHOLE_MS ? CALM_FLUSH_MS : 1000 })
    const { api } = gateway
    const loads = [...stand.ledgers].map(
      ([source, ledger]) => new Load({ api, source, ledger, senders: 2, rows: 10, pauseMs: 100 }),
    )
    const nodesOf = async () => {
      const texts = await Promise.all(names.map((source) => api.must('GET', `/v1/datasources/${source}`)))
      return new Map(texts.map((text, i) => [names[i] ?? '', String(JSON.parse(text).node)]))
    }
    await sleep(Math.min(5000, faultMs))
    const isCalm = async () => {
      const texts = await Promise.all(names.map((source) => api.must('GET', `/v1/datasources/${source}`)))
      return texts.every((text) => JSON.parse(text).state === 'flowing')
    }
    for (const [i, fault] of FAULTS.entries()) {
      if (faultMs >= WHOLE_MS && (await timeUntil(isCalm, BACK_MS)) === null)
        report.note('some data sources are delayed')
      const [server, proxy, node] = [servers[i], proxies[i], `server-${i + 1}`]
      if (!server || !proxy) throw new Error('there are three of each')
      report.progress(`${node} is ${fault.name}`)
      const before = await nodesOf()
      const own = [...before].filter(([, it]) => it === node).map(([source]) => source)
      const sinceMs = performance.now()
      await fault.begin(server, proxy)
      if (faultMs >= WHOLE_MS) await moves(report, fault, node, own, nodesOf)
      await sleep(Math.max(0, faultMs - (performance.now() - sinceMs)))
      await fault.end(server, proxy)
      if (faultMs >= WHOLE_MS) await comesBack(report, node, own.length, nodesOf)
      else await sleep(faultMs)
    }
    report.progress('data sources are rerouted')
    let routes = 0
    const rerouted = await timeUntil(
      async () => {
        const source = names[Math.floor(random() * names.length)]
        const node = `server-${1 + Math.floor(random() * 3)}`
        const { status } = await api.ask('PUT', `/v1/datasources/${source}/route`, JSON.stringify({ node }))
        if (status === 200) routes++
        return false
      },
      Math.min(10_000, faultMs),
    )
    if (rerouted === null)
      report.check('Data sources are rerouted by the API under load', routes > 0, `${routes} times`)
    await Promise.all(loads.map((load) => load.stop()))
    await stand.drained(240_000)
    await audited(report, stand)
    const metrics = await api.must('GET', '/metrics')
    const maybe = [...metrics.matchAll(/^sluice_maybe_duplicated_rows\{.*\} (\d+)$/gm)].map(([, rows]) => Number(rows))
    report.figure(
      'Rows that went elsewhere while their node could not be asked',
      maybe.reduce((sum, it) => sum + it, 0),
    )
  } finally {
    for (const end of ends.reverse()) await end()
    rmSync(folder, { recursive: true, force: true })
  }
}

type NodesOf = () => Promise<ReadonlyMap<string, string>>

async function moves(
  report: Report,
  { name, movedMs }: Fault,
  node: string,
  own: readonly string[],
  nodesOf: NodesOf,
): Promise<void> {
  const ms = await timeUntil(async () => {
    const now = await nodesOf()
    return own.every((source) => now.get(source) !== node)
  }, WHOLE_MS)
  const found =
    ms === null ? `not within ${WHOLE_MS / 1000} s` : `${own.length} data sources in ${(ms / 1000).toFixed(1)} s`
  report.check(`A server is ${name}: what it had moves within ${movedMs / 1000} s`, ms !== null && ms <= movedMs, found)
}

/** It has half of what it had again, and did not get that at once. */
async function comesBack(report: Report, node: string, had: number, nodesOf: NodesOf): Promise<void> {
  const sinceMs = performance.now()
  let [has, noneMs, backMs] = [had, 0, 0]
  while (backMs === 0 && performance.now() - sinceMs < BACK_MS) {
    has = [...(await nodesOf()).values()].filter((it) => it === node).length
    if (has === 0 || (noneMs === 0 && has < had / 2)) noneMs = performance.now()
    else if (noneMs > 0 && has >= had / 2) backMs = performance.now()
    else await sleep(250)
  }
  const [noneS, tookS] = [(noneMs - sinceMs) / 1000, (backMs - noneMs) / 1000]
  const found =
    backMs === 0
      ? `not within ${BACK_MS / 1000} s: it has ${has} of ${had}`
      : `none until ${noneS.toFixed(0)} s after, ${has} of ${had} in ${tookS.toFixed(0)} s`
  report.check('… it comes back with a slow start', backMs > 0 && tookS >= SLOW_START_MS / 1000 / 10, found)
}

/** On each of them, as soon as all have the same. */
async function audited(report: Report, stand: Stand): Promise<void> {
  let all: Audit[] = []
  await until(
    'the replicas have the same',
    async () => {
      all = await Promise.all(stand.servers.map((server) => stand.seenBy(server).audit()))
      return new Set(all.map((it) => JSON.stringify(it))).size === 1
    },
    30_000,
  ).catch((error) => report.note(String(error)))
  for (const [i, { acknowledged, lost, doubled, inPart }] of all.entries()) {
    const found = `${acknowledged} rows acknowledged, ${lost} lost, ${doubled} there twice`
    report.check(`Read on replica ${i + 1}`, acknowledged > 0 && lost + doubled + inPart === 0, found)
  }
}
