import type { Context } from 'hono'
import { maySee, type Right } from '../auth/scopes.js'
import type { DataSource } from '../ingest/data-source.js'
import { DefinitionConflictError } from '../ingest/data-sources.js'
import { definitionSchema } from '../ingest/definition.js'
import { describeSource, stateOf } from '../ingest/describe-source.js'
import type { Ingest } from '../ingest/ingest.js'
import type { Logger } from '../logger.js'
import type { Metrics } from '../metrics/metrics.js'
import { SchemaConflictError } from '../nodes/schema-conflict-error.js'
import type { Body } from './contract.js'
import type { GatewayEnv } from './env.js'
import { cursor, pageLimit, pageOf, readQuery } from './query-parameters.js'
import { type BodyBudget, readJson } from './read-body.js'
import { keepsNothing, Refusal, requireName, unknownDataSource } from './refusal.js'
import { requireAdmin, requireRight, requireSight } from './require-scope.js'

/** Undefined: the gateway keeps no data sources. */
export type MaybeIngest = Ingest | undefined

/**
 * The data source that a request means, for who has the right to it.
 * @throws Refusal 403 before 404: who may not know of it does not learn whether it is there
 */
export function sourceFor(
  c: Context<GatewayEnv>,
  ingest: MaybeIngest,
  name: string,
  right: Right | 'any',
): { readonly ingest: Ingest; readonly source: DataSource } {
  const { token, namespace } = c.var
  if (ingest === undefined) throw keepsNothing(name)
  if (right === 'any') requireSight(token, name)
  else requireRight(token, right, name)
  const source = ingest.sources.find(namespace, name)
  if (source !== undefined) return { ingest, source }
  const known = ingest.sources.of(namespace).map((it) => it.name)
  throw unknownDataSource(
    name,
    namespace.dataset,
    known.filter((it) => maySee(token.scopes, it)),
  )
}

/** `GET /v1/datasources`: those for which the token has a scope. */
export function listDataSources(c: Context<GatewayEnv>, ingest: MaybeIngest): Response {
  const { limit, cursor: after } = readQuery(c, { limit: pageLimit, cursor })
  const { token, namespace } = c.var
  const own = (ingest?.sources.of(namespace) ?? []).filter(({ name }) => maySee(token.scopes, name))
  const rest = own.filter(({ name }) => after === undefined || name > after)
  const { page, next_cursor } = pageOf(rest, limit, ({ name }) => name)
  return c.json({
    data_sources: page.map((source) => ({
      ...{ name: source.name, dataset: namespace.dataset, description: source.definition.description },
      ...(ingest ? stateOf(ingest, source) : { state: 'flowing', state_since: '' }),
      href: `/v1/datasources/${source.name}`,
    })),
    next_cursor,
  } satisfies Body['DataSourceList'])
}

/** `GET /v1/datasources/{name}`. */
export async function getDataSource(c: Context<GatewayEnv>, ingest: MaybeIngest, name: string): Promise<Response> {
  const it = sourceFor(c, ingest, name, 'any')
  readQuery(c, {})
  return c.json(await describeSource(it.ingest, it.source))
}

/** `PUT /v1/datasources/{name}`: its table is there, and its definition on disk, when this is answered. */
export async function putDataSource(
  c: Context<GatewayEnv>,
  ingest: Ingest,
  name: string,
  budget: BodyBudget,
): Promise<Response> {
  requireAdmin(c.var.token)
  readQuery(c, {})
  requireName(name)
  const definition = await readJson(c, budget, definitionSchema)
  ingest.pipeline // not ready: 503
  try {
    const { source, isNew } = await ingest.sources.put(c.var.namespace, name, definition)
    return c.json(await describeSource(ingest, source), isNew ? 201 : 200)
  } catch (error) {
    if (error instanceof DefinitionConflictError) throw conflict(error.message)
    if (error instanceof SchemaConflictError)
      throw conflict(
        `A node has a table of that name whose ${error.field} is ${error.is}, not ${error.wanted}. Make a new data source.`,
      )
    throw error
  }
}

/** `DELETE /v1/datasources/{name}`: one of which nothing waits. Its table stays. */
export async function deleteDataSource(
  c: Context<GatewayEnv>,
  maybe: MaybeIngest,
  name: string,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Pick<Metrics, 'forget'> },
): Promise<Response> {
  const { token } = c.var
  requireAdmin(token)
  const { ingest, source } = sourceFor(c, maybe, name, 'any')
  readQuery(c, {})
  if (!(await ingest.delete(source)))
    throw new Refusal({
      status: 409,
      kind: 'backlog-not-empty',
      title: 'Backlog is not empty',
      detail: `Events of "${name}" wait to be written. Let them be written, or drop them; then delete it.`,
    })
  metrics.forget(source)
  logger.info('data source deleted', { source: source.key, token: token.name })
  return c.body(null, 204)
}

/** `GET /v1/datasources/{name}/quarantine`: the newest first. */
export async function listQuarantine(c: Context<GatewayEnv>, ingest: MaybeIngest, name: string): Promise<Response> {
  const it = sourceFor(c, ingest, name, 'owner')
  const { limit, cursor: before } = readQuery(c, { limit: pageLimit, cursor })
  const all = await it.ingest.quarantine.list(it.source.key)
  const rest = all.filter(({ id }) => before === undefined || id < before)
  const { page, next_cursor } = pageOf(rest, limit, ({ id }) => id)
  return c.json({
    rows: page.map(({ id, atMs, row, errors }) => ({ id, received_at: new Date(atMs).toISOString(), row, errors })),
    next_cursor,
  } satisfies Body['QuarantineList'])
}

function conflict(detail: string): Refusal {
  return new Refusal({ status: 409, kind: 'schema-conflict', title: 'Schema conflict', detail })
}
