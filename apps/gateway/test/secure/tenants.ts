import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GatewayOptions, Pipe, TokenOptions } from '@sluice/gateway'
import { expect } from 'vitest'
import { undescribed } from '../contract/undescribed.js'
import { patient, type RunningGateway, run } from '../running-gateway.js'

/** Whose requests are made: an administrator of each tenant, and one who may only read the first one's `clicks`. */
export type Who = 'acme' | 'globex' | 'reader'

const secretOf = (who: Who) => `a-secret-of-${who}-0000001`
export const SECRETS: readonly string[] = (['acme', 'globex', 'reader'] as const).map(secretOf)

const tokens: readonly TokenOptions[] = [
  { name: 'acme', tenant: 'acme', token: secretOf('acme'), scopes: ['admin'] },
  { name: 'globex', tenant: 'globex', token: secretOf('globex'), scopes: ['admin'] },
  { name: 'reader', tenant: 'acme', token: secretOf('reader'), scopes: ['read:clicks', 'read:echo'] },
]

/** All that is in the engine, as whoever runs the gateway sees it. */
const everything: Pipe = {
  name: 'everything',
  description: 'All tables with their rows.',
  sql: "SELECT concat(database, '.', name) AS table, total_rows AS rows FROM system.tables WHERE lower(database) NOT IN ('system', 'information_schema') ORDER BY table",
  parameters: {},
}

const PLAN = { flush_interval_ms: 20, requests_per_second: 1e5, burst: 1e5, rows_per_second: 1e6 }

/** Two tenants on one engine, each with a data source; the second one's holds a secret. */
export interface Tenants {
  readonly gateway: RunningGateway
  readonly folder: string
  /** Asks, and holds the answer to the document. @param what `GET /v1/…` */
  ask(what: string, as: Who, body?: unknown, headers?: Record<string, string>): Promise<Told>
  /** All tables of the engine with their rows: what an attack must not have changed. */
  everything(): Promise<unknown>
  close(): Promise<void>
}

export interface Told {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any form, which tests look into
  readonly json: any
  readonly text: string
}

export async function startTenants(options: Partial<GatewayOptions> = {}): Promise<Tenants> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-secure-'))
  const spoolDir = join(folder, 'spool')
  const gateway = await run({ tokens, datasets: [], pipes: [everything], spoolDir, breaker: patient, ...options })
  const ask: Tenants['ask'] = async (what, as, body, headers = {}) => {
    const [method = '', path = ''] = what.split(' ')
    const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
    const typed: Record<string, string> = sent === null ? {} : { 'content-type': 'application/json' }
    const response = await fetch(`${gateway.url}${path}`, {
      ...{ method, body: sent },
      headers: { authorization: `Bearer ${secretOf(as)}`, ...typed, ...headers },
    })
    expect(await undescribed({ method, path }, response.clone()), `${what} ${response.status}`).toEqual([])
    const text = await response.text()
    return { status: response.status, json: /^[[{]/.test(text) ? JSON.parse(text) : undefined, text }
  }
  const columns = [
    { name: 'id', type: 'UInt32' },
    { name: 'text', type: 'String' },
  ]
  for (const [as, name, text] of [
    ['acme', 'clicks', 'a click'],
    ['globex', 'secrets', 'THE SECRET'],
  ] as const) {
    expect((await ask(`PUT /v1/datasources/${name}`, as, { columns, plan: PLAN })).status).toBe(201)
    const sent = await ask(`POST /v1/datasources/${name}/events?wait=true`, as, [{ id: 1, text }])
    // 504 where a test has writes waited for shortly: it is written all the same.
    expect([200, 504]).toContain(sent.status)
  }
  return {
    ...{ gateway, folder, ask },
    everything: async () => (await ask('GET /v1/pipes/everything', 'acme')).json.data,
    close: async () => {
      await gateway.close()
      rmSync(folder, { recursive: true })
    },
  }
}
