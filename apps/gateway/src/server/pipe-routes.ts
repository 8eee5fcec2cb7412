import type { Context } from 'hono'
import { may } from '../auth/scopes.js'
import { shortened } from '../field-fault.js'
import type { Ingest } from '../ingest/ingest.js'
import { type Namespace, namespaceKey } from '../ingest/source-key.js'
import { type GatewayNode, nodeFor } from '../limit/gateway-nodes.js'
import type { Logger } from '../logger.js'
import { EngineError } from '../nodes/engine-error.js'
import { isForOperator } from '../nodes/insert-fault.js'
import type { NodeAnswer } from '../nodes/node.js'
import { checkParameters } from '../pipes/check-parameters.js'
import { type FoundPipe, type PipeBook, savedPipe } from '../pipes/pipe-book.js'
import { pipeDefinitionSchema, readPipe, sampleOf } from '../pipes/pipe-definition.js'
import { reachFault, SURROUNDINGS_SQL, surroundingsOf } from '../pipes/reach.js'
import { listingOf } from '../pipes/registry.js'
import { readSql } from '../pipes/sql-tokens.js'
import { ClientGoneError } from './client-gone-error.js'
import type { Body } from './contract.js'
import type { GatewayEnv } from './env.js'
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
  const checked = checkParameters(found.pipe, new URL(c.req.url).searchParams)
  if (!checked.ok) throw badParameters(checked.issues)
  const { signal } = c.req.raw
  const asker = { found, node: nodeOf(found, options), timeoutMs: options.readTimeoutMs, signal }
  let answer: NodeAnswer
  try {
    const fault = await reach(asker)
    if (fault !== undefined) throw refusedPipe(name, fault)
    answer = await query(asker, found.pipe.sql, checked.values)
  } catch (error) {
    if (signal.aborted) throw new ClientGoneError()
    throw error
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
  const definition = await readJson(c, options.budget, pipeDefinitionSchema)
  const found = savedPipe(namespace, definition, readPipe(name, definition))
  const { pipe } = found
  const asker = { found, node: nodeOf(found, options), timeoutMs: options.readTimeoutMs, signal: c.req.raw.signal }
  try {
    // Before the engine works its columns out, which reads files and asks servers where it names them.
    const fault = await reach(asker)
    if (fault !== undefined) throw badBody([{ parameter: 'sql', message: fault }])
    await query(asker, `DESCRIBE (${pipe.sql})`, sampleOf(pipe)) // nothing is read
  } catch (error) {
    if (!(error instanceof EngineError) || error.outOfResources || isForOperator(error)) throw error
    if (error.clickhouseCode === UNKNOWN_DATABASE)
      throw badBody([{ parameter: 'sql', message: noDataSources(namespace) }])
    // It proposes names like the unknown one, of whoever's tables.
    const [words = ''] = error.message.split(/\n|\s*Maybe you meant/)
    throw badBody([{ parameter: 'sql', message: `is refused by the engine: ${words.slice(0, 500)}` }])
  }
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

/** What an engine says of a database that it does not have: it makes that of a data set with its first table. */
const UNKNOWN_DATABASE = 81
const noDataSources = ({ dataset }: Namespace): string =>
  `is of data set "${dataset}", which has no data source yet; define one first, with PUT /v1/datasources/{name}`

/** A pipe, and the node that it runs on. */
interface Asker {
  readonly found: FoundPipe
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
 * @returns what is wrong, after its name; undefined: it stays within it
 */
async function reach(asker: Asker): Promise<string | undefined> {
  const { pipe, within } = asker.found
  const { name } = asker.node.node
  if (within === undefined || within.has(name)) return undefined
  // As the gateway itself: a tenant is not shown what others have.
  const { body } = await query({ ...asker, found: { pipe } }, SURROUNDINGS_SQL, {})
  const { data } = JSON.parse(body) as { data: { kind: string; name: string }[] } // as it was asked
  const fault = reachFault(readSql(pipe.sql).tokens, surroundingsOf(data))
  if (fault === undefined) within.add(name)
  return fault
}

function query(
  { found: { pipe, namespace }, node: { limited }, timeoutMs, signal }: Asker,
  sql: string,
  params: Readonly<Record<string, string>>,
): Promise<NodeAnswer> {
  const asked = { sql, params, timeoutMs, signal, ...(namespace && { namespace: namespaceKey(namespace) }) }
  return pipe.pastLimit ? limited.queryPastLimit(asked) : limited.query(asked)
}

/** 409: it was saved when less was refused, or its node has what another has not. */
function refusedPipe(name: string, fault: string): Refusal {
  return new Refusal({
    status: 409,
    kind: 'pipe-refused',
    title: 'Pipe is refused',
    detail: `The SQL of "${name}" ${fault}. It is kept and does not run; save it with other SQL, or delete it.`,
  })
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
