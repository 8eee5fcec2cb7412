import type { Clock } from '@sluice/core'
import { DroppedError, PipelineClosedError } from '@sluice/ingest'
import type { Context } from 'hono'
import { type Batch, readBatch } from '../ingest/batch/read-batch.js'
import { type BatchForm, rowsOfBody, UnreadableBodyError } from '../ingest/batch/rows-of-body.js'
import { Turns } from '../ingest/batch/turns.js'
import type { DataSource } from '../ingest/data-source.js'
import type { Ingest } from '../ingest/ingest.js'
import { KeysInUse } from '../ingest/keys-in-use.js'
import { type BatchKey, batchKey, type TakenBatch, takeBatch } from '../ingest/take-batch.js'
import type { Logger } from '../logger.js'
import { NodeUnavailableError } from '../nodes/node-unavailable-error.js'
import type { Body } from './contract.js'
import type { GatewayEnv } from './env.js'
import { keyInProgress, keyUsed, refusalOf, sourceQuotaSpent, spoolFailed, writePending } from './events-refused.js'
import { flag, readQuery } from './query-parameters.js'
import { type BodyBudget, mediaType, readBody, type SentBody } from './read-body.js'
import { badBody, badParameters } from './refusal.js'

/** What sending events needs. */
export interface SendEventsOptions {
  readonly budget: BodyBudget
  /** With `wait=true` the write is waited for so long. */
  readonly writeTimeoutMs: number
  readonly clock: Clock
  readonly logger: Logger
  readonly onTaken: (source: DataSource, taken: TakenBatch) => void
}

const FORMS = { 'application/x-ndjson': 'lines', 'application/json': 'array' } as const
const [LARGE_BYTES, LARGE_AT_ONCE] = [1_048_576, 2]
const TYPES = ['application/x-ndjson', 'application/json'] as const

/** `POST /v1/datasources/{name}/events`: rows that are on disk when it is answered. */
export class SendEvents {
  readonly #options: SendEventsOptions
  readonly #inUse = new KeysInUse()
  readonly #turns = new Turns(LARGE_AT_ONCE)

  constructor(options: SendEventsOptions) {
    this.#options = options
  }

  async handle(c: Context<GatewayEnv>, ingest: Ingest, source: DataSource): Promise<Response> {
    const { wait } = readQuery(c, { wait: flag })
    const key = keyOf(c)
    const form = FORMS[mediaType(c, TYPES)]
    ingest.pipeline // not ready: 503 before anything is spent
    const requests = source.requests.take(c.var.token.name, source.key)
    if (!requests.isAdmitted) throw sourceQuotaSpent(source, requests, 'request')
    const sent = await readBody(c, this.#options.budget)
    try {
      if (key !== undefined) return await this.#takeOnce(c, ingest, source, sent, form, key, wait)
      return await this.#answer(c, await this.#take(ingest, source, sent, form), wait)
    } finally {
      sent.release()
    }
  }

  /** Once, however often it is sent. */
  async #takeOnce(
    c: Context<GatewayEnv>,
    ingest: Ingest,
    source: DataSource,
    sent: SentBody,
    form: BatchForm,
    key: string,
    wait: boolean,
  ): Promise<Response> {
    const keyed = batchKey(key, sent.body)
    const end = this.#inUse.begin(source.key, keyed.key)
    if (end === undefined) throw keyInProgress(keyed.key)
    try {
      const before = await ingest.keys.find(source.key, keyed.key)
      if (before === undefined) {
        const taken = await this.#take(ingest, source, sent, form, keyed)
        end()
        return await this.#answer(c, taken, wait)
      }
      sent.release()
      if (before.bodyHash !== keyed.bodyHash) throw keyUsed(keyed.key)
      const written = this.#inUse.writing(source.key, keyed.key)
      const state = { state: 'buffered', untilMs: null } as const
      const taken = { accepted: before.accepted, quarantined: before.quarantined, ...state }
      if (written !== undefined) return await this.#answer(c, { ...taken, written: () => written }, wait)
      // Nobody knows of a batch of an earlier process whether it is written, unless nothing waits.
      const isWritten = ingest.pipeline.backlogs.read(source.key).rows === 0
      return await this.#answer(c, { ...taken, written: async () => {} }, wait && isWritten)
    } finally {
      end()
    }
  }

  /** While it is read its rows are in memory beside it, so few large ones are read at a time, one of each tenant. */
  async #read({ slices }: Ingest, body: Uint8Array, form: BatchForm, source: DataSource): Promise<Batch> {
    const { tenant } = source.namespace
    const work = slices.work(tenant)
    const rows = await readable(rowsOfBody(body, form, source.maxRows, work))
    spendRows(source, rows.count)
    const read = () => readable(readBatch(rows, source.checker, work))
    return body.length < LARGE_BYTES ? read() : this.#turns.take(tenant, read)
  }

  /** Fulfils when it is on disk: whoever waits for the write has nothing of it in memory. */
  async #take(
    ingest: Ingest,
    source: DataSource,
    sent: SentBody,
    form: BatchForm,
    keyed?: BatchKey,
  ): Promise<TakenBatch> {
    const { clock, logger } = this.#options
    const batch = await this.#read(ingest, sent.body, form, source)
    // In one turn with accept(): who deletes it looks whether events of it are coming.
    if (!ingest.sources.takes(source)) throw new NodeUnavailableError(`"${source.name}" is being deleted.`, 1000)
    const outcome = await takeBatch(ingest, source, batch, keyed, { nowMs: clock.wallNow(), logger }).catch(
      (error: unknown) => {
        logger.error('events could not be kept', { source: source.key, error: String(error) })
        throw spoolFailed()
      },
    )
    if ('status' in outcome) throw refusalOf(source, outcome, ingest.pipeline.backlogs.read(source.key).isPaused)
    this.#options.onTaken(source, outcome)
    if (keyed !== undefined) this.#inUse.written(source.key, keyed.key, outcome.written())
    sent.release()
    return outcome
  }

  async #answer(c: Context<GatewayEnv>, taken: TakenBatch, wait: boolean): Promise<Response> {
    const { accepted, quarantined, state, untilMs } = taken
    if (!wait) {
      const until = untilMs === null ? null : new Date(untilMs).toISOString()
      return c.json({ accepted, quarantined, state, until } satisfies Body['EventsAccepted'], 202)
    }
    await this.#written(c, taken)
    return c.json({ accepted, quarantined, state: 'written' } satisfies Body['EventsWritten'])
  }

  /** @throws Refusal 504 where it takes too long, or will not be: the rows are on disk all the same */
  async #written(c: Context<GatewayEnv>, { accepted, written }: TakenBatch): Promise<void> {
    const { clock, writeTimeoutMs } = this.#options
    const { signal } = c.req.raw
    let stop = (): void => {}
    let leave = (): void => {}
    const late = new Promise<'late'>((resolve) => {
      stop = clock.timer(writeTimeoutMs, () => resolve('late'))
      leave = () => resolve('late') // nobody waits any more
      signal.addEventListener('abort', leave, { once: true })
    })
    const known = written().then(
      () => 'written' as const,
      (error: unknown) =>
        error instanceof DroppedError ? 'dropped' : error instanceof PipelineClosedError ? 'closing' : 'late',
    )
    const outcome = await Promise.race([known, late])
    stop()
    signal.removeEventListener('abort', leave)
    if (outcome !== 'written') throw writePending(accepted, outcome, writeTimeoutMs)
  }
}

/** @throws Refusal 429 where its plan has not so many rows a second */
function spendRows(source: DataSource, count: number): void {
  if (count === 0) return // that it has none is said when it is read
  const rows = source.rows.take('', source.key, count)
  if (!rows.isAdmitted) throw sourceQuotaSpent(source, rows, 'row')
}

function keyOf(c: Context<GatewayEnv>): string | undefined {
  const key = c.req.header('idempotency-key')
  if (key === undefined || (key.length >= 1 && key.length <= 255)) return key
  throw badParameters([{ parameter: 'Idempotency-Key', message: 'is not 1 to 255 characters' }])
}

async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof UnreadableBodyError) throw badBody([{ parameter: 'body', message: error.message }])
    throw error
  }
}
