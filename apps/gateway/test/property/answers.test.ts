import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../contract/document.js'
import { operationOf, undescribed } from '../contract/undescribed.js'
import { startTenants, type Tenants } from '../secure/tenants.js'
import { type AnyRequest, anyRequest } from './request.js'

/** Many more as a soak: SLUICE_PROPERTY_RUNS=20000 npx vitest run test/property. */
const RUNS = Number(process.env.SLUICE_PROPERTY_RUNS ?? 300)
const SEED = Number(process.env.SLUICE_PROPERTY_SEED ?? 20_261_130)
const COLUMNS = [
  { name: 'time', type: 'DateTime' },
  { name: 'user_id', type: 'UInt32' },
  { name: 'path', type: 'String' },
]

/** What a method that a path does not have may be answered: what comes before it is looked at, or that it is none. */
const REFUSED = [400, 401, 403, 404, 405, 411, 413, 429]

describe('any request at all', () => {
  const met = new Map<string, number>()
  let tenants: Tenants
  beforeAll(async () => {
    tenants = await startTenants({ writeTimeoutMs: 100, readTimeoutMs: 3000, maxStreamsPerToken: 1000 })
    const plan = { flush_interval_ms: 20, requests_per_second: 1e5, burst: 1e5, rows_per_second: 1e6 }
    const body = { columns: COLUMNS, plan }
    expect((await tenants.ask('PUT /v1/datasources/orders', 'acme', body)).status).toBe(201)
  })
  afterAll(() => tenants.close())

  /** Where its answer is not as the document says; none: it is. */
  async function faultsOf({ method, path, headers, body }: AnyRequest): Promise<string[]> {
    const response = await fetch(`${tenants.gateway.url}${path}`, { method, headers, body })
    const { status } = response
    const { pathname, search } = new URL(response.url) // as it was sent: `..` leads to another place
    const asked = { method, path: pathname + search }
    const operation = operationOf(asked)
    const key = `${operation?.operationId ?? 'none'} ${status}`
    met.set(key, (met.get(key) ?? 0) + 1)
    if (operation === undefined) {
      await response.body?.cancel()
      return REFUSED.includes(status) ? [] : [`${status} for what is no operation`]
    }
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    const copy = isStream ? new Response(null, response) : response
    // A pipe whose SQL fails on these values is described, and is its administrator's.
    const isPipes = status === 500 && operation.operationId === 'runPipe' && (await isQueryFailed(response.clone()))
    // A stream may have nothing to say for long: its head is held to the document, as HEAD's answer.
    const faults = await undescribed(isStream ? { ...asked, method: 'HEAD' } : asked, copy)
    if (isStream) await response.body?.cancel()
    if (status >= 500 && status !== 503 && status !== 504 && !isPipes) faults.push(`status ${status}`)
    const isCounted = operation.security === undefined && ![401, 408, 411, 413, 503].includes(status)
    if (isCounted && !response.headers.has('ratelimit')) faults.push('RateLimit is not there')
    return faults
  }

  it(`has an answer as described, ${RUNS} times`, async () => {
    const isAsDescribed = fc.asyncProperty(anyRequest, async (request) => {
      expect(await faultsOf(request)).toEqual([])
    })
    await fc.assert(isAsDescribed, { numRuns: RUNS, seed: SEED })
    const ids = new Set([...met.keys()].map((it) => it.split(' ')[0]))
    for (const { operation } of operations) expect(ids).toContain(operation.operationId)
    if (RUNS > 300)
      console.log(
        [...met]
          .sort()
          .map(([what, times]) => `${what}: ${times}`)
          .join('\n'),
      )
  }, 600_000)
})

/** HEAD has no body to tell by. */
async function isQueryFailed(response: Response): Promise<boolean> {
  const text = await response.text()
  return text === '' || (JSON.parse(text) as { type?: unknown }).type === 'urn:sluice:problem:query-failed'
}
