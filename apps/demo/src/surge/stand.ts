import { randomBytes } from 'node:crypto'
import { type GatewayLimitOptions, startGateway } from '@sluice/gateway'
import { type ServerCount, ServerCounts } from '../server-counts.js'
import { questions } from './questions.js'
import { SLOTS } from './sizing.js'

/** Who asks: many callers, one job, and the demo itself that looks on. */
export type Asker = 'callers' | 'job' | 'onlooker'

const ASKERS: readonly Asker[] = ['callers', 'job', 'onlooker']

/** A gateway with an engine of its own, for one part of the act. */
export interface Stand {
  readonly url: string
  headersOf(asker: Asker): Record<string, string>
  /** What the gateway itself counted. */
  countOf(asker: Asker): ServerCount
  close(): Promise<void>
}

/** Quota enough: this act is about a server that refuses nobody. */
export const NO_QUOTA = { ratePerSecond: 1_000_000, burst: 1_000_000 }

/** @throws what the gateway throws: EngineStartError above all, ConfigError where `record` cannot be written */
export async function startStand(cores: number, limit: GatewayLimitOptions, record?: string): Promise<Stand> {
  const counts = new ServerCounts()
  const secrets = new Map(ASKERS.map((name) => [name, randomBytes(18).toString('base64url')]))
  const gateway = await startGateway({
    tokens: [...secrets].map(([name, token]) => ({ name, token })),
    plans: { default: NO_QUOTA },
    pipes: questions(cores),
    datasets: [],
    readTimeoutMs: 600_000,
    shutdownGraceMs: 500,
    // On a slow machine callers wait for long; what is to be shown is that nobody is refused.
    limit: { maxConcurrent: SLOTS, queueTimeoutMs: 60_000, ...limit },
    logger: counts.logger,
    ...(record !== undefined && { record }),
  })
  return {
    url: gateway.url,
    headersOf: (asker) => ({ authorization: `Bearer ${secrets.get(asker)}` }),
    countOf: (asker) => counts.of(asker),
    close: () => gateway.close(),
  }
}
