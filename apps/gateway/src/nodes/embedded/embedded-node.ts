import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '../../config-error.js'
import type { Dataset } from '../../datasets/dataset.js'
import type { Logger } from '../../logger.js'
import type { NodeAnswer, NodeQuery, NodeState, QueryNode, RunningQuery } from '../node.js'
import { NodeUnavailableError } from '../node-unavailable-error.js'
import { QueryTimeoutError } from '../query-timeout-error.js'
import { ChildLink } from './child-link.js'

/** How the embedded engine is run. */
export interface EmbeddedNodeOptions {
  /** Where its files are kept; left there at the end. Default: a temporary folder that is removed at the end. */
  readonly dataDir?: string
  /** Queries that run side by side. */
  readonly sessions: number
  /** Queries that may wait for their turn; one more is refused as the engine would, with code 202. */
  readonly maxWaiting: number
  /** Loaded whenever the engine starts. */
  readonly datasets: readonly Dataset[]
  readonly logger: Logger
}

/** Waits between attempts to bring a crashed engine back; the last one repeats. */
const RESTART_DELAYS_MS = [0, 250, 500, 1000, 2000, 5000]
/** An engine that ran this long had started well: the next crash begins the waits anew. */
const SETTLED_MS = 30_000
const CLOSE_GRACE_MS = 2000

/** ClickHouse inside a child process, which is started again whenever it ends. */
export class EmbeddedNode implements QueryNode {
  readonly name = 'clickhouse-1'
  readonly #options: EmbeddedNodeOptions
  readonly #closing = new AbortController()
  #path: string | undefined
  #link: ChildLink | undefined
  #retryAfterMs = 1000
  /** The last start did not succeed. */
  #failed = false
  #supervision: Promise<void> = Promise.resolve()

  constructor(options: EmbeddedNodeOptions) {
    this.#options = options
  }

  /** Starts the engine and loads the data; until then queries are refused. @throws EngineStartError */
  async start(): Promise<void> {
    try {
      const link = await this.#open()
      this.#supervision = this.#supervise(link)
    } catch (error) {
      await this.#removeFiles()
      throw error
    }
  }

  get state(): NodeState {
    if (this.#link !== undefined) return 'up'
    return this.#failed ? 'down' : 'starting'
  }

  query(query: NodeQuery): RunningQuery {
    try {
      query.signal?.throwIfAborted()
      const { answer, cancel } = this.#ready().query(query.sql, query.params)
      const end = () => undefined
      return { answer: bounded(answer, cancel, query), ended: answer.then(end, end) }
    } catch (error) {
      return { answer: Promise.reject(error), ended: Promise.resolve() }
    }
  }

  async ping(timeoutMs: number): Promise<void> {
    const link = this.#ready()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new NodeUnavailableError('The engine does not answer.', 1000)), timeoutMs)
    })
    await Promise.race([link.ping(), late]).finally(() => clearTimeout(timer))
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#link?.close(CLOSE_GRACE_MS)
    await this.#supervision
    await this.#removeFiles()
  }

  #ready(): ChildLink {
    if (this.#link !== undefined) return this.#link
    throw new NodeUnavailableError('The engine is being started.', this.#retryAfterMs)
  }

  async #open(): Promise<ChildLink> {
    const { datasets, logger, sessions, maxWaiting, dataDir } = this.#options
    const startedMs = performance.now()
    const link = await ChildLink.start({
      path: await this.#folder(),
      removePath: dataDir === undefined,
      sessions,
      maxWaiting,
      logger,
    })
    try {
      for (const dataset of datasets) await link.seed(dataset)
    } catch (error) {
      link.kill()
      await link.exited
      throw error
    }
    logger.info('engine ready', { pid: link.pid, ms: Math.round(performance.now() - startedMs) })
    this.#link = link
    this.#failed = false
    return link
  }

  async #supervise(first: ChildLink): Promise<void> {
    let link: ChildLink | undefined = first
    let failures = 0
    while (!this.#closing.signal.aborted) {
      if (link !== undefined) {
        const sinceMs = performance.now()
        const how = await link.exited
        this.#link = undefined
        if (this.#closing.signal.aborted) return
        if (performance.now() - sinceMs > SETTLED_MS) failures = 0
        this.#options.logger.error('engine ended, starting it again', { how })
      }
      const delayMs = RESTART_DELAYS_MS[Math.min(failures, RESTART_DELAYS_MS.length - 1)] ?? 0
      failures += 1
      this.#retryAfterMs = Math.max(1000, delayMs)
      link = await this.#reopen(delayMs)
    }
    // Closed while an engine was being opened: close() did not see that one.
    await this.#link?.close(CLOSE_GRACE_MS)
  }

  async #reopen(delayMs: number): Promise<ChildLink | undefined> {
    try {
      await sleep(delayMs, undefined, { signal: this.#closing.signal })
      return await this.#open()
    } catch (error) {
      this.#failed = true
      if (!this.#closing.signal.aborted) this.#options.logger.error('engine did not start', { error: String(error) })
      return undefined
    }
  }

  async #folder(): Promise<string> {
    const { dataDir } = this.#options
    if (dataDir !== undefined) {
      await mkdir(dataDir, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
        throw new ConfigError('options', 'dataDir', `${dataDir} cannot be made (${error.code}); name a folder`)
      })
    }
    this.#path ??= dataDir ?? (await mkdtemp(join(tmpdir(), 'sluice-gateway-')))
    return this.#path
  }

  async #removeFiles(): Promise<void> {
    if (this.#options.dataDir === undefined && this.#path !== undefined)
      await rm(this.#path, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The answer, unless it takes too long or nobody waits for it any more: then the query is told to stop. */
function bounded(
  answer: Promise<NodeAnswer>,
  cancel: () => void,
  { timeoutMs, signal }: NodeQuery,
): Promise<NodeAnswer> {
  return new Promise((resolve, reject) => {
    const stop = (reason: unknown) => {
      cancel()
      reject(reason)
    }
    const timer = setTimeout(() => stop(new QueryTimeoutError(timeoutMs)), timeoutMs)
    const onAbort = () => stop(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  })
}
