import type { Context } from 'hono'
import { z } from 'zod'
import { describeBacklog } from '../ingest/describe-source.js'
import { lift, pause, reroute, resume } from '../ingest/owner-acts.js'
import type { Logger } from '../logger.js'
import { strict } from '../schema-words.js'
import type { StreamPlaces } from '../status/stream-places.js'
import { within } from '../within.js'
import type { Body } from './contract.js'
import { type MaybeIngest, sourceFor } from './data-source-routes.js'
import type { GatewayEnv } from './env.js'
import { linesOfRows } from './export-backlog.js'
import { takePlace } from './open-stream.js'
import { readQuery } from './query-parameters.js'
import { type BodyBudget, readJson } from './read-body.js'
import { badBody, notKept, Refusal } from './refusal.js'

/** What backlogs are handled with. */
export interface BacklogRoutesOptions {
  readonly ingest: MaybeIngest
  readonly budget: BodyBudget
  /** Each export holds some of the spool in memory for as long as its client likes. */
  readonly exports: StreamPlaces
  /** What is under way is waited for so long before the answer that it is paused. */
  readonly writeTimeoutMs: number
  readonly logger: Logger
}

/** A node that does not answer for so long cannot be written to. */
const PING_TIMEOUT_MS = 2000

const routeSchema = strict({
  node: z.string('is not text').min(1, 'is empty').max(64, 'has more than 64 characters').nullable(),
})

/** `GET …/backlog`, and `POST …/backlog/pause` and `…/resume`. */
export async function backlog(
  c: Context<GatewayEnv>,
  { ingest: maybe, writeTimeoutMs, logger }: BacklogRoutesOptions,
  name: string,
  act?: 'pause' | 'resume',
): Promise<Response> {
  const { ingest, source } = sourceFor(c, maybe, name, 'owner')
  readQuery(c, {})
  if (act !== undefined) {
    await (act === 'pause' ? pause(ingest, source, writeTimeoutMs) : resume(ingest, source))
    logger.info(`backlog ${act}d`, { source: source.key, token: c.var.token.name })
  }
  return c.json(describeBacklog(ingest, source))
}

/** `POST …/backlog/drop`: only of what is paused, and on record. */
export async function dropBacklog(
  c: Context<GatewayEnv>,
  { ingest: maybe, logger }: BacklogRoutesOptions,
  name: string,
): Promise<Response> {
  const { ingest, source } = sourceFor(c, maybe, name, 'owner')
  readQuery(c, {})
  const { backlogs } = ingest.pipeline
  const { isPaused, bytes } = backlogs.read(source.key)
  if (!isPaused)
    throw new Refusal({
      status: 409,
      kind: 'backlog-not-paused',
      title: 'Backlog is not paused',
      detail: `The backlog of "${name}" is being written. Pause it, then drop what is left.`,
    })
  const rows = await backlogs.drop(source.key).catch((error: unknown) => {
    logger.error('a backlog could not be dropped', { source: source.key, error: String(error) })
    throw notKept()
  })
  if (rows > 0) source.freshness.dropped()
  const dropped = { dropped_rows: rows, dropped_bytes: rows === 0 ? 0 : bytes }
  logger.warn('backlog dropped', { source: source.key, token: c.var.token.name, ...dropped })
  return c.json(dropped satisfies Body['BacklogDropped'])
}

/** `POST …/backlog/export`: a stream that is read from the spool as fast as it is taken. */
export function exportBacklog(
  c: Context<GatewayEnv>,
  { ingest: maybe, exports }: BacklogRoutesOptions,
  name: string,
): Response {
  const { ingest, source } = sourceFor(c, maybe, name, 'owner')
  readQuery(c, {})
  const { backlogs } = ingest.pipeline
  const onLeave = takePlace(c, exports, 'reads')
  const lines = linesOfRows(backlogs.export(source.key), ingest.slices.work(source.namespace.tenant), onLeave)
  return c.body(lines, 200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
}

/** `PUT …/route`. */
export async function putRoute(
  c: Context<GatewayEnv>,
  { ingest: maybe, budget, logger }: BacklogRoutesOptions,
  name: string,
): Promise<Response> {
  const { ingest, source } = sourceFor(c, maybe, name, 'owner')
  readQuery(c, {})
  const { node } = await readJson(c, budget, routeSchema)
  const names = ingest.pipeline.router.read().map((it) => it.node)
  if (node !== null && !names.includes(node))
    throw badBody([{ parameter: 'node', value: node, message: `is no node; there are ${names.join(', ')}` }])
  const previous_node = ingest.nodeOf(source)
  try {
    await within(PING_TIMEOUT_MS, new Error('It does not answer.'), (late) => ingest.prepare(source, node, late))
  } catch (error) {
    logger.warn('route refused', { source: source.key, node: node ?? 'none', error: String(error) })
    throw new Refusal({
      status: 409,
      kind: 'node-unreachable',
      title: 'Node unreachable',
      detail: `Node "${node}" does not answer, or cannot have the table. Choose one that is up; getStatus lists them.`,
    })
  }
  await reroute(ingest, source, node)
  logger.info('rerouted', { source: source.key, token: c.var.token.name, node: node ?? 'none' })
  return c.json({ data_source: source.name, node: ingest.nodeOf(source), previous_node } satisfies Body['Route'])
}

/** `DELETE …/limit`. */
export async function liftLimit(
  c: Context<GatewayEnv>,
  { ingest: maybe, logger }: BacklogRoutesOptions,
  name: string,
): Promise<Response> {
  const { ingest, source } = sourceFor(c, maybe, name, 'owner')
  readQuery(c, {})
  await lift(ingest, source)
  logger.info('limit lifted', { source: source.key, token: c.var.token.name })
  return c.body(null, 204)
}
