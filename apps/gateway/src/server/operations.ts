import type { operations } from '../contract.gen.js'

/** As the description of the API names them. */
export type OperationId = keyof operations

/** Where an operation is. */
export interface Place {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** As the router has it: `/v1/pipes/:name`. */
  readonly path: string
}

const SOURCE = '/v1/datasources/:name'

/** All operations of the API. */
export const OPERATIONS: Readonly<Record<OperationId, Place>> = {
  getHealth: { method: 'GET', path: '/healthz' },
  getReadiness: { method: 'GET', path: '/readyz' },
  getMetrics: { method: 'GET', path: '/metrics' },
  listPipes: { method: 'GET', path: '/v1/pipes' },
  runPipe: { method: 'GET', path: '/v1/pipes/:name' },
  putPipe: { method: 'PUT', path: '/v1/pipes/:name' },
  deletePipe: { method: 'DELETE', path: '/v1/pipes/:name' },
  getStatus: { method: 'GET', path: '/v1/status' },
  streamStatus: { method: 'GET', path: '/v1/status/stream' },
  listNotices: { method: 'GET', path: '/v1/notices' },
  streamNotices: { method: 'GET', path: '/v1/notices/stream' },
  listDataSources: { method: 'GET', path: '/v1/datasources' },
  getDataSource: { method: 'GET', path: SOURCE },
  putDataSource: { method: 'PUT', path: SOURCE },
  deleteDataSource: { method: 'DELETE', path: SOURCE },
  sendEvents: { method: 'POST', path: `${SOURCE}/events` },
  listQuarantine: { method: 'GET', path: `${SOURCE}/quarantine` },
  getBacklog: { method: 'GET', path: `${SOURCE}/backlog` },
  pauseBacklog: { method: 'POST', path: `${SOURCE}/backlog/pause` },
  resumeBacklog: { method: 'POST', path: `${SOURCE}/backlog/resume` },
  exportBacklog: { method: 'POST', path: `${SOURCE}/backlog/export` },
  dropBacklog: { method: 'POST', path: `${SOURCE}/backlog/drop` },
  putRoute: { method: 'PUT', path: `${SOURCE}/route` },
  liftLimit: { method: 'DELETE', path: `${SOURCE}/limit` },
}

/** What a gateway that keeps nothing does not have. */
export const KEEPING: ReadonlySet<string> = new Set<OperationId>([
  ...(['putDataSource', 'deleteDataSource', 'putPipe', 'deletePipe'] as const),
])

const PATTERNS = Object.entries(OPERATIONS).map(([id, { method, path }]) => {
  return { id, method, pattern: new RegExp(`^${path.replace(':name', '[^/]+')}$`) }
})

/** Which operation a request means; undefined: none. */
export function operationOf(method: string, path: string): string | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  return PATTERNS.find((it) => it.method === wanted && it.pattern.test(path))?.id
}

/** What may be done at each path, for `Allow`. */
export function allowedAt(ids: readonly OperationId[]): ReadonlyMap<string, string> {
  const methods = new Map<string, string[]>()
  for (const id of ids) {
    const { method, path } = OPERATIONS[id]
    const own = method === 'GET' ? ['GET', 'HEAD'] : [method]
    methods.set(path, [...(methods.get(path) ?? []), ...own])
  }
  return new Map([...methods].map(([path, own]) => [path, [...own, 'OPTIONS'].join(', ')]))
}
