import { readFileSync } from 'node:fs'
import { schemas } from '@sluice/spec'
import { describe, expect, it } from 'vitest'
import { document, type Exemplified, operations, type Placed } from './document.js'
import { faultsOf } from './faults.js'

const retrySchema = JSON.parse(readFileSync(schemas['x-sluice-retry'], 'utf8'))
const byId = operations.map((it): [string, Placed] => [it.operation.operationId, it])
const ids = (holds: (it: Placed) => boolean) => operations.filter(holds).map((it) => it.operation.operationId)
const isSecured = ({ operation }: Placed) => operation.security === undefined
const answersOf = ({ operation }: Placed) => Object.entries(operation.responses)

const examplesOf = ({ example, examples }: Exemplified): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples ?? {}).map((it) => it.value),
]

describe('spec/openapi.yaml', () => {
  it('has the operations that client, commands and tools are made from', () => {
    expect(operations.map((it) => `${it.operation.operationId}: ${it.method} ${it.path}`)).toEqual([
      'sendEvents: POST /v1/datasources/{name}/events',
      'listDataSources: GET /v1/datasources',
      'getDataSource: GET /v1/datasources/{name}',
      'putDataSource: PUT /v1/datasources/{name}',
      'deleteDataSource: DELETE /v1/datasources/{name}',
      'listQuarantine: GET /v1/datasources/{name}/quarantine',
      'getBacklog: GET /v1/datasources/{name}/backlog',
      'pauseBacklog: POST /v1/datasources/{name}/backlog/pause',
      'resumeBacklog: POST /v1/datasources/{name}/backlog/resume',
      'exportBacklog: POST /v1/datasources/{name}/backlog/export',
      'dropBacklog: POST /v1/datasources/{name}/backlog/drop',
      'putRoute: PUT /v1/datasources/{name}/route',
      'liftLimit: DELETE /v1/datasources/{name}/limit',
      'listPipes: GET /v1/pipes',
      'runPipe: GET /v1/pipes/{name}',
      'putPipe: PUT /v1/pipes/{name}',
      'deletePipe: DELETE /v1/pipes/{name}',
      'getStatus: GET /v1/status',
      'streamStatus: GET /v1/status/stream',
      'listNotices: GET /v1/notices',
      'streamNotices: GET /v1/notices/stream',
      'getMetrics: GET /metrics',
      'getHealth: GET /healthz',
      'getReadiness: GET /readyz',
    ])
  })

  it('needs a token everywhere but for health', () => {
    expect(ids((it) => !isSecured(it))).toEqual(['getHealth', 'getReadiness'])
  })

  describe.each(byId)('%s', (_, placed) => {
    const { method, path, operation, parameters } = placed
    const statuses = Object.keys(operation.responses)

    it('reads well in a list of commands: a verb, one line, one declared tag, the scope it needs', () => {
      expect(operation.operationId).toMatch(/^[a-z]+([A-Z][a-z]+)*$/)
      expect(operation.summary).toMatch(/^[A-Z][^\n]{10,78}[^.\n]$/)
      expect(document.tags.map((it) => it.name)).toEqual(expect.arrayContaining([...operation.tags]))
      expect(operation.tags).toHaveLength(1)
      expect(operation.description).toMatch(
        isSecured(placed) ? /^Needs (any token|scope `(admin|operator|(owner|read|write):NAME))/ : /^Needs no token/,
      )
    })

    it('describes every answer that it can give', () => {
      const expected = ['500', '503']
      if (isSecured(placed)) expected.push('401', '403', '429')
      if (path.startsWith('/v1/')) expected.push('400')
      if (path.includes('{name}') && !/^put(Pipe|DataSource)$/.test(operation.operationId)) expected.push('404')
      if (method !== 'GET') expected.push('405')
      if (operation.requestBody) expected.push('408', '411', '413', '415')
      expect(statuses).toEqual(expect.arrayContaining(expected))
      expect(statuses.some((status) => status.startsWith('2'))).toBe(true)
      expect(statuses).toEqual([...statuses].sort())
    })

    it('says in headers what is left, and when to come back', () => {
      for (const [status, { headers = {} }] of answersOf(placed)) {
        const counted = isSecured(placed) && !['401', '408', '411', '413'].includes(status)
        expect([status, 'RateLimit' in headers, 'RateLimit-Policy' in headers]).toEqual([status, counted, counted])
        expect([status, 'Retry-After' in headers]).toEqual([status, status === '429' || status === '503'])
        expect([status, 'WWW-Authenticate' in headers]).toEqual([status, status === '401'])
        for (const header of Object.values(headers)) {
          expect(faultsOf(header.schema ?? {}, header.example)).toEqual([])
          expect(header.description).toBeTruthy()
        }
      }
    })

    it('has a schema and an example that fits for each body, and problems for errors', () => {
      const bodies = answersOf(placed).flatMap(([status, { content }]) =>
        Object.entries(content ?? {}).map(([type, media]) => ({ status, type, media })),
      )
      const without = ['204', '408'] // no content, and Node's own answer
      expect([...new Set(bodies.map((it) => it.status))]).toEqual(statuses.filter((it) => !without.includes(it)))
      for (const { status, type, media } of bodies) {
        const examples = examplesOf(media)
        expect(examples, status).not.toEqual([])
        for (const example of examples) expect(faultsOf(media.schema ?? {}, example), status).toEqual([])
        expect([status, type === 'application/problem+json']).toEqual([status, Number(status) >= 400])
        if (Number(status) < 400) continue
        for (const example of examples) expect(example).toMatchObject({ status: Number(status) })
      }
      for (const media of Object.values(operation.requestBody?.content ?? {})) {
        const examples = examplesOf(media)
        expect(examples).not.toEqual([])
        for (const example of examples) expect(faultsOf(media.schema ?? {}, example)).toEqual([])
      }
    })

    it('describes its parameters, with examples that fit', () => {
      for (const parameter of parameters) {
        expect(parameter.description, parameter.name).toMatch(/^[A-Z]/)
        for (const example of examplesOf(parameter)) expect(faultsOf(parameter.schema ?? {}, example)).toEqual([])
      }
      const sent = parameters.map((it) => it.name)
      expect(sent.filter((name) => /^X-/.test(name))).toEqual(
        path.startsWith('/v1/') ? ['X-Tenant-ID', 'X-Dataset-ID'] : [],
      )
      expect(new Set(sent).size).toBe(sent.length)
    })
  })

  it('pages what can be long', () => {
    const paged = ids((it) => it.parameters.some(({ name }) => name === 'cursor'))
    expect(paged).toEqual(['listDataSources', 'listQuarantine', 'listNotices'])
    for (const [id, { operation }] of byId.filter(([id]) => paged.includes(id))) {
      expect(operation.responses['200']?.content?.['application/json']?.schema?.required, id).toContain('next_cursor')
    }
  })

  it('says how to retry: as interactive, but for what may not be or may safely be', () => {
    expect(document['x-sluice-retry']).toEqual({ preset: 'interactive' })
    const settings = byId.flatMap(([id, { operation }]) => {
      const own = operation['x-sluice-retry']
      return own === undefined ? [] : [[id, own] as const]
    })
    for (const [, own] of settings) expect(faultsOf(retrySchema, own)).toEqual([])
    expect(Object.fromEntries(settings)).toEqual({
      pauseBacklog: { idempotent: true },
      resumeBacklog: { idempotent: true },
      exportBacklog: { idempotent: true },
      dropBacklog: { idempotent: false },
      streamStatus: { disabled: true },
      streamNotices: { disabled: true },
      getHealth: { disabled: true },
      getReadiness: { disabled: true },
    })
    const streams = ids((it) => it.operation.responses['200']?.content?.['text/event-stream'] !== undefined)
    expect(streams).toEqual(['streamStatus', 'streamNotices'])
  })
})
