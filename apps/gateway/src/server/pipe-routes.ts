import type { Context } from 'hono'
import { may } from '../auth/scopes.js'
import { shortened } from '../field-fault.js'
import type { Ingest } from '../ingest/ingest.js'
import { type GatewayNode, nodeFor } from '../limit/gateway-nodes.js'
import { EngineError } from '../nodes/engine-error.js'
import type { NodeAnswer } from '../nodes/node.js'
import { checkParameters } from '../pipes/check-parameters.js'
import type { FoundPipe, PipeBook } from '../pipes/pipe-book.js'
import { pipeDefinitionSchema, pipeOf, sampleOf } from '../pipes/pipe-definition.js'
import { reachFault, SURROUNDINGS_SQL, type Surroundings, surroundingsOf } from '../pipes/reach.js'
import { listingOf } from '../pipes/registry.js'
import { namesIn } from '../pipes/sql-words.js'
import { ClientGoneError } from './client-gone-error.js'
import type { Body } from './contract.js'
import type { GatewayEnv } from './env.js'
import { readQuery } from './query-parameters.js'
import { type BodyBudget, readJson } from './read-body.js'
import { badBody, badParameters, listed, Refusal } from './refusal.js'
import { requireAdmin, requireRight } from './require-scope.js'

/** What pipes need to run. */
export interface PipeRoutesOptions {
  readonly pipes: PipeBook
  readonly nodes: readonly GatewayNode[]
  readonly ingest: Ingest | undefined
  readonly readTimeoutMs: number
  readonly budget: BodyBudget
}

const NAME = /^[a-z][a-z0-9_]{0,63}$/

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
  const checked = checkParameters(found.pipe, new URL(c.req.url).searchParams)
  if (!checked.ok) throw badParameters(checked.issues)
  const { signal } = c.req.raw
  let answer: NodeAnswer
  try {
    answer = await query(found, found.pipe.sql, checked.values, options, signal)
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
  if (!NAME.test(name))
    throw badParameters([{ parameter: 'name', value: shortened(name), message: 'is not a name: a-z, 0-9 and _' }])
  const definition = await readJson(c, options.budget, pipeDefinitionSchema)
  const pipe = pipeOf(name, definition)
  const { signal } = c.req.raw
  try {
    // Before the engine works its columns out, which reads files and asks servers where it names them.
    const fault = reachFault(pipe.sql, await surroundings({ pipe, namespace }, options, signal))
    if (fault !== undefined) throw badBody([{ parameter: 'sql', message: fault }])
    // Its columns are worked out, and nothing is read. A comment at its end must not reach the bracket.
    await query({ pipe, namespace }, `DESCRIBE (${pipe.sql}\n)`, sampleOf(pipe), options, signal)
  } catch (error) {
    if (!(error instanceof EngineError) || error.outOfResources) throw error
    // It proposes names like the unknown one, of whoever's tables.
    const [words = ''] = error.message.split(/\n|\s*Maybe you meant/)
    throw badBody([{ parameter: 'sql', message: `is refused by the engine: ${words.slice(0, 500)}` }])
  }
  const isNew = await options.pipes.put(namespace, name, definition)
  return c.json(listingOf(pipe) satisfies Body['Pipe'], isNew ? 201 : 200)
}

async function surroundings(found: FoundPipe, options: PipeRoutesOptions, signal: AbortSignal): Promise<Surroundings> {
  const { body } = await query(found, SURROUNDINGS_SQL, {}, options, signal)
  return surroundingsOf((JSON.parse(body) as { data: { kind: string; name: string }[] }).data) // as it was asked
}

function query(
  { pipe, namespace }: FoundPipe,
  sql: string,
  params: Readonly<Record<string, string>>,
  { nodes, ingest, readTimeoutMs: timeoutMs }: PipeRoutesOptions,
  signal: AbortSignal,
): Promise<NodeAnswer> {
  const names = namespace && ingest?.isStarted ? namesIn(pipe.sql) : new Set<string>()
  const sources = namespace && names.size > 0 ? (ingest?.sources.of(namespace) ?? []) : []
  const written = sources.filter(({ name }) => names.has(name)).map((it) => ingest?.nodeOf(it) ?? '')
  const { limited } = nodeFor(nodes, written)
  const where = namespace && { namespace: `${namespace.tenant}/${namespace.dataset}` }
  const asked = { sql, params, timeoutMs, signal, ...where }
  return pipe.pastLimit ? limited.queryPastLimit(asked) : limited.query(asked)
}

function unknownPipe(c: Context<GatewayEnv>, name: string, pipes: PipeBook): Refusal {
  const names = pipes.list(c.var.namespace).map((it) => it.name)
  const own = names.filter((it) => may(c.var.token.scopes, 'read', it))
  return new Refusal({
    status: 404,
    kind: 'unknown-pipe',
    title: 'No such pipe',
    detail: `There is no pipe "${shortened(name)}". There are: ${listed(own)}.`,
  })
}
