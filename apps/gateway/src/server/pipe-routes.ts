import type { Context } from 'hono'
import { may } from '../auth/scopes.js'
import { shortened } from '../field-fault.js'
import type { Ingest } from '../ingest/ingest.js'
import { namespaceKey } from '../ingest/source-key.js'
import { type GatewayNode, nodeFor } from '../limit/gateway-nodes.js'
import type { Logger } from '../logger.js'
import { EngineError } from '../nodes/engine-error.js'
import type { NodeAnswer } from '../nodes/node.js'
import { checkParameters } from '../pipes/check-parameters.js'
import { type FoundPipe, type PipeBook, savedPipe } from '../pipes/pipe-book.js'
import { pipeSchema, sampleOf } from '../pipes/pipe-definition.js'
import { reachFault, SURROUNDINGS_SQL, surroundingsOf } from '../pipes/reach.js'
import { listingOf } from '../pipes/registry.js'
import { readSql, type Token } from '../pipes/sql-tokens.js'
import { ClientGoneError } from './client-gone-error.js'
import type { Body } from './contract.js'
import type { GatewayEnv } from './env.js'
import { lackOf, refusedDefinition, refusedPipe } from './pipe-refusal.js'
import { readQuery } from './query-parameters.js'
import { type BodyBudget, readJson } from './read-body.js'
import { badBody, badParameters, listed, Refusal, requireName } from './refusal.js'
import { requireAdmin, requireRight } from './require-scope.js'

/** What pipes need to run. */
export interface PipeRoutesOptions {
  readonly pipes: PipeBook
  readonly nodes: readonly GatewayNode[]
  readonly ingest: Ingest | undefined
  readonly readTimeoutMs: number
  readonly budget: BodyBudget
  readonly logger: Logger
}

/** `GET /v1/pipes`: those that the token may run. */
export function listPipes(c: Context<GatewayEnv>, { pipes }: PipeRoutesOptions): Response {
  readQuery(c, {})
  const { token, namespace } = c.var
  const own = pipes.list(namespace).filter(({ name }) => may(token.scopes, 'read', name))
  return c.json({ pipes: own.map(listingOf) } satisfies Body['PipeList'])
}

/** `GET /v1/pipes/{name}`: checks the parameters, runs the query in a slot, kills it when the client leaves. */
export async function runPipe(c: Context<GatewayEnv>, name: string, options: PipeRoutesOptions): Promise<Response> {
  const { token, namespace } = c.var
  requireRight(token, 'read', name)
  const found = options.pipes.find(namespace, name)
  if (found === undefined) throw unknownPipe(c, name, options.pipes)
  if (found.fault !== undefined) throw refusedPipe(name, found.fault)
  const checked = checkParameters(found.pipe, new URL(c.req.url).search)
  if (!checked.ok) throw badParameters(checked.issues)
  const { signal } = c.req.raw
  const { tenant } = token
  const asker = { found, tenant, node: nodeOf(found, options), timeoutMs: options.readTimeoutMs, signal }
  let answer: NodeAnswer
  try {
    const fault = await reach(asker, () => readSql(found.pipe.sql).tokens)
    if (fault !== undefined) throw refusedPipe(name, fault)
    answer = await query(asker, found.pipe.sql, checked.values)
  } catch (error) {
    if (signal.aborted) throw new ClientGoneError()
    if (!(error instanceof EngineError) || found.namespace === undefined) throw error
    const lack = lackOf(error, namespace)
    if (lack === undefined) throw error
    const { node, queryId, message } = error
    options.logger.warn('engine refused a pipe', { pipe: `${namespaceKey(namespace)}/${name}`, node, queryId, message })
    throw refusedPipe(name, lack)
  }
  c.header('Server-Timing', `elapsed;dur=${answer.elapsedMs.toFixed(3)}, node;dur=${answer.nodeElapsedMs.toFixed(3)}`)
  return c.body(answer.body, 200, { 'content-type': 'application/json' })
}

/** `PUT /v1/pipes/{name}`: has the engine look at the query, and saves it. */
export async function putPipe(c: Context<GatewayEnv>, name: string, options: PipeRoutesOptions): Promise<Response> {
  const { token, namespace } = c.var
  requireAdmin(token)
  readQuery(c, {})
  requireName(name)
  const { definition, read } = await readJson(c, options.budget, pipeSchema(name))
  const found = savedPipe(namespace, definition, read)
  const { pipe } = found
  const { tenant } = token
  const { signal } = c.req.raw
  const asker = { found, tenant, node: nodeOf(found, options), timeoutMs: options.readTimeoutMs, signal }
  // Before the engine works its columns out, which reads files and asks servers where it names them.
  const fault = await reach(asker, () => read.tokens)
  if (fault !== undefined) throw badBody([{ parameter: 'sql', message: fault }])
  await query(asker, `DESCRIBE (${pipe.sql})`, sampleOf(pipe)).catch((error) => {
    throw error instanceof EngineError ? refusedDefinition(error, namespace) : error
  })
  const isNew = await options.pipes.put(found)
  return c.json(listingOf(pipe) satisfies Body['Pipe'], isNew ? 201 : 200)
}

/** `DELETE /v1/pipes/{name}`: one that was saved. Queries of it that run go on. */
export async function deletePipe(
  c: Context<GatewayEnv>,
  name: string,
  { pipes, logger }: PipeRoutesOptions,
): Promise<Response> {
  const { token, namespace } = c.var
  requireAdmin(token)
  readQuery(c, {})
  if (await pipes.delete(namespace, name)) {
    logger.info('pipe deleted', { pipe: `${namespaceKey(namespace)}/${name}`, token: token.name })
    return c.body(null, 204)
  }
  if (pipes.find(namespace, name) === undefined) throw unknownPipe(c, name, pipes)
  throw new Refusal({
    status: 409,
    kind: 'pipe-not-saved',
    title: 'Pipe was not saved',
    detail: `The gateway was started with "${name}", which every tenant has. Only what was saved can be deleted.`,
  })
}

/** A pipe, and the node that it runs on. */
interface Asker {
  readonly found: FoundPipe
  /** Who asks. */
  readonly tenant: string
  readonly node: GatewayNode
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Where the data sources are written that it reads. */
function nodeOf({ names, namespace }: FoundPipe, { nodes, ingest }: PipeRoutesOptions): GatewayNode {
  const sources = namespace && ingest?.isStarted ? ingest.sources.of(namespace) : []
  const written = sources.filter(({ name }) => names?.has(name)).map((it) => ingest?.nodeOf(it) ?? '')
  return nodeFor(nodes, written)
}

/**
 * Why a pipe that was saved leaves its data set on its node, which is asked once what there is on it.
 * @param tokens of its SQL, which are not kept: they are many times as large
 * @returns what is wrong, after its name; undefined: it stays within it
 */
async function reach(asker: Asker, tokens: () => readonly Token[]): Promise<string | undefined> {
  const { pipe, within } = asker.found
  const { name } = asker.node.node
  if (within === undefined || within.has(name)) return undefined
  // As the gateway itself: a tenant is not shown what others have.
  const { body } = await query({ ...asker, found: { pipe } }, SURROUNDINGS_SQL, {})
  const { data } = JSON.parse(body) as { data: { kind: string; name: string }[] } // as it was asked
  const fault = reachFault(tokens(), surroundingsOf(data))
  if (fault === undefined) within.add(name)
  return fault
}

function query(
  { found: { pipe, namespace }, tenant, node: { limited }, timeoutMs, signal }: Asker,
  sql: string,
  params: Readonly<Record<string, string>>,
): Promise<NodeAnswer> {
  const asked = { sql, params, timeoutMs, signal, ...(namespace && { namespace: namespaceKey(namespace) }) }
  return pipe.pastLimit ? limited.queryPastLimit(asked) : limited.query(asked, tenant)
}

function unknownPipe(c: Context<GatewayEnv>, name: string, pipes: PipeBook): Refusal {
  const names = pipes.list(c.var.namespace).map((it) => it.name)
  const own = names.filter((it) => may(c.var.token.scopes, 'read', it))
  const there = own.length === 0 ? 'There are none that this token may run.' : `There are: ${listed(own)}.`
  return new Refusal({
    status: 404,
    kind: 'unknown-pipe',
    title: 'No such pipe',
    detail: `There is no pipe "${shortened(name)}". ${there}`,
  })
}
