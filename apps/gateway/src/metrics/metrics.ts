import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { DataSource } from '../ingest/data-source.js'
import { describeBacklog, stateOf } from '../ingest/describe-source.js'
import type { Ingest } from '../ingest/ingest.js'
import type { GatewayNode } from '../limit/gateway-nodes.js'

/** What metrics are read from. */
export interface MetricsOptions {
  readonly nodes: readonly GatewayNode[]
  readonly ingest: Ingest | undefined
  /** Milliseconds since the epoch. */
  readonly wallNow: () => number
}

const SOURCE = ['tenant', 'dataset', 'data_source'] as const
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const STATES = ['flowing', 'delayed', 'limited'] as const

/** The counters and timings of one gateway, for Prometheus. Data sources are named only once they are defined. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests: Counter<'operation' | 'status'>
  readonly #seconds: Histogram<'operation'>
  readonly #accepted: Counter<(typeof SOURCE)[number]>
  readonly #quarantined: Counter<(typeof SOURCE)[number]>

  constructor({ nodes, ingest, wallNow }: MetricsOptions) {
    const registers = [this.#registry]
    const named = (name: string, help: string) => ({ name: `sluice_${name}`, help, registers })
    const ofSource = { labelNames: SOURCE }
    this.#requests = new Counter({
      ...named('requests_total', 'Requests by operation and status; "none": no operation of the API.'),
      labelNames: ['operation', 'status'],
    })
    this.#seconds = new Histogram({
      ...named('request_duration_seconds', 'From the head of a request to that of its answer.'),
      ...{ labelNames: ['operation'], buckets: BUCKETS },
    })
    this.#accepted = new Counter({ ...named('events_accepted_total', 'Rows that are on disk.'), ...ofSource })
    this.#quarantined = new Counter({ ...named('events_quarantined_total', 'Rows that did not fit.'), ...ofSource })
    nodeGauges(nodes, named)
    if (ingest) sourceGauges(ingest, wallNow, named)
  }

  requested(operation: string, status: number, ms: number): void {
    this.#requests.inc({ operation, status: String(status) })
    this.#seconds.observe({ operation }, ms / 1000)
  }

  taken(source: DataSource, accepted: number, quarantined: number): void {
    this.#accepted.inc(labelsOf(source), accepted)
    this.#quarantined.inc(labelsOf(source), quarantined)
  }

  /** A data source was deleted: what was counted of it would stay for as long as this process, under each name that there was. */
  forget(source: DataSource): void {
    for (const counter of [this.#accepted, this.#quarantined]) counter.remove(labelsOf(source))
  }

  /** Prometheus's text format. */
  text(): Promise<string> {
    return this.#registry.metrics()
  }
}

type Named = (name: string, help: string) => { name: string; help: string; registers: Registry[] }

function nodeGauges(nodes: readonly GatewayNode[], named: Named): void {
  const gauge = (name: string, help: string, read: (it: GatewayNode) => number) =>
    new Gauge({
      ...named(name, help),
      labelNames: ['node'],
      collect() {
        for (const it of nodes) this.set({ node: it.node.name }, read(it))
      },
    })
  gauge('node_up', 'Whether it answers.', ({ node }) => Number(node.state === 'up'))
  gauge('node_limit', 'Queries that may run at once.', ({ limiter }) => limiter.snapshot().limit)
  gauge('node_in_flight', 'Queries that run.', ({ limiter }) => limiter.snapshot().inFlight)
  gauge('node_queued', 'Queries that wait for a slot.', ({ limiter }) => limiter.snapshot().queued)
  gauge('node_throttles', 'Queries that it refused since the gateway started.', ({ limited }) => limited.throttles)
}

function sourceGauges(ingest: Ingest, wallNow: () => number, named: Named): void {
  const gauge = (name: string, help: string, read: (it: DataSource) => number) =>
    new Gauge({
      ...named(name, help),
      labelNames: SOURCE,
      collect() {
        this.reset() // of those that were deleted
        if (ingest.isStarted) for (const it of ingest.sources.all()) this.set(labelsOf(it), read(it))
      },
    })
  gauge('backlog_rows', 'Rows that are accepted and not written.', (it) => describeBacklog(ingest, it).rows)
  gauge('backlog_bytes', 'Their bytes on disk.', (it) => describeBacklog(ingest, it).bytes)
  gauge('backlog_oldest_seconds', 'Age of the oldest of them; 0: none waits.', (it) => {
    const oldest = describeBacklog(ingest, it).oldest_at
    return oldest === null ? 0 : Math.max(0, (wallNow() - Date.parse(oldest)) / 1000)
  })
  gauge('unknown_blocks', 'Blocks of which nobody knows yet whether they are written.', ({ key }) => {
    return ingest.pipeline.backlogs.read(key).unknownBlocks
  })
  gauge('maybe_duplicated_rows', 'Rows that went to another node while theirs could not be asked.', ({ key }) => {
    return ingest.pipeline.backlogs.read(key).maybeDuplicatedRows
  })
  new Gauge({
    ...named('data_source_state', '1 for the state that it is in.'),
    labelNames: [...SOURCE, 'state'],
    collect() {
      this.reset()
      if (!ingest.isStarted) return
      for (const it of ingest.sources.all()) {
        const { state: is } = stateOf(ingest, it)
        for (const state of STATES) this.set({ ...labelsOf(it), state }, Number(state === is))
      }
    },
  })
}

const labelsOf = ({ namespace, name }: DataSource) => ({ ...namespace, data_source: name })
