import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemClock } from '@sluice/core'
import {
  AddressInUseError,
  flightPipes,
  type Gateway,
  type GatewayOptions,
  type Plan,
  startGateway,
  type TokenOptions,
} from '@sluice/gateway'
import { HOLD_MS } from './ingest/act.js'
import { type ServerCount, ServerCounts } from './server-counts.js'
import { LiveSurge } from './surge/live-surge.js'
import { NO_QUOTA } from './surge/stand.js'

/** The quota that each token has. */
export const QUOTA: Plan = Object.freeze({ ratePerSecond: 5, burst: 5 })

/** The token that sends events: without a quota to speak of. */
export const INGEST = 'ingest'

/** The gateway that the clients meet. */
export interface Service {
  /** `http://127.0.0.1:8787` */
  readonly url: string
  readonly port: number
  /** The secret of the token of that name. */
  secretOf(name: string): string
  /** What the gateway itself counted for the token of that name. */
  countOf(name: string): ServerCount
  /** Ends server and engine, removes what they made. */
  close(): Promise<void>
}

/**
 * Starts a gateway on loopback with a fresh token for each name, a spool for events, the console, and the surge that this
 * can start; on a free port where the one asked for is taken.
 * @param cores processors that the surge is sized for
 * @param breaker other thresholds of the data sources' breakers than those of the act
 * @throws what the gateway throws: EngineStartError above all
 */
export async function startService(
  port: number,
  names: readonly string[],
  cores: number,
  breaker: GatewayOptions['breaker'] = {},
): Promise<Service> {
  const counts = new ServerCounts()
  const secrets = new Map(names.map((name) => [name, randomBytes(18).toString('base64url')]))
  const surge = new LiveSurge({ cores, clock: systemClock, random: Math.random })
  const spoolDir = mkdtempSync(join(tmpdir(), 'sluice-demo-spool-'))
  const options: GatewayOptions = {
    ...surge.gatewayOptions,
    tokens: [...[...secrets].map(([name, token]) => tokenOf(name, token)), ...surge.tokens],
    plans: { demo: QUOTA, surge: NO_QUOTA, ingest: NO_QUOTA },
    spoolDir,
    breaker: { holdMs: HOLD_MS, ...breaker },
    pipes: [...flightPipes, ...surge.pipes],
    consoleDir: dirname(createRequire(import.meta.url).resolve('@sluice/console/index.html')),
    shutdownGraceMs: 2000,
    logger: counts.logger,
  }
  const remove = (): void => rmSync(spoolDir, { recursive: true, force: true })
  const gateway = await startOn(port, options).catch((error: unknown) => {
    remove()
    throw error
  })
  surge.playOn(gateway.url)
  return {
    url: gateway.url,
    port: gateway.port,
    secretOf(name) {
      const secret = secrets.get(name)
      if (secret === undefined) throw new Error(`There is no token "${name}"; there are ${names.join(', ')}.`)
      return secret
    },
    countOf: (name) => counts.of(name),
    async close() {
      surge.stop()
      await gateway.close().finally(remove)
    },
  }
}

/** Whoever reads the last lines may do with data sources what an owner may. */
function tokenOf(name: string, token: string): TokenOptions {
  if (name === INGEST) return { name, token, plan: 'ingest', scopes: ['admin'] }
  return { name, token, plan: 'demo', scopes: ['owner:*'] }
}

async function startOn(port: number, options: GatewayOptions): Promise<Gateway> {
  try {
    return await startGateway({ ...options, port })
  } catch (error) {
    if (error instanceof AddressInUseError && port !== 0) return startGateway({ ...options, port: 0 })
    throw error
  }
}
