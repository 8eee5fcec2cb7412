import { access, constants, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dataset } from '../../datasets/dataset.js'
import type { Logger } from '../../logger.js'
import { makeFolder, usingFolder } from '../../state/using-folder.js'
import { EngineStartError } from '../engine-start-error.js'
import type { NodeState } from '../node.js'
import { NodeUnavailableError } from '../node-unavailable-error.js'
import { ChildLink } from './child-link.js'
import type { TenantRole } from './tenant-role.js'

/** How the embedded engine is run. */
export interface EmbeddedNodeOptions {
  /** Default `clickhouse-1`. */
  readonly name?: string
  /** Where its files are kept; left there at the end. Default: a temporary folder that is removed at the end. */
  readonly dataDir?: string
  /** Queries that run side by side. */
  readonly sessions: number
  /** Blocks that are written side by side. Default 4. */
  readonly writeSessions?: number
  /** Queries, and blocks, that may wait for their turn; one more is refused as the engine would, with code 202. */
  readonly maxWaiting: number
  /** Those for whose namespaces queries may run: the engine has a role for each. Default none. */
  readonly tenants?: readonly string[]
  /** Loaded whenever the engine starts. */
  readonly datasets: readonly Dataset[]
  readonly logger: Logger
}

/** Waits between attempts to bring a crashed engine back; the last one repeats. */
const RESTART_DELAYS_MS = [0, 250, 500, 1000, 2000, 5000]
/** An engine that ran this long had started well: the next crash begins the waits anew. */
const SETTLED_MS = 30_000
const CLOSE_GRACE_MS = 2000

interface SupervisorOptions extends EmbeddedNodeOptions {
  readonly name: string
  readonly roles: readonly TenantRole[]
}

/** Keeps one child process with an engine running: it is started again whenever it ends. */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #closing = new AbortController()
  #path: string | undefined
  #link: ChildLink | undefined
  #retryAfterMs = 1000
  /** The last start did not succeed. */
  #failed = false
  #supervision: Promise<void> = Promise.resolve()

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  /** Starts the engine and loads the data; until then there is no link. @throws EngineStartError */
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

  /** @throws NodeUnavailableError */
  get link(): ChildLink {
    if (this.#link !== undefined) return this.#link
    throw new NodeUnavailableError('The engine is being started.', this.#retryAfterMs)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#link?.close(CLOSE_GRACE_MS)
    await this.#supervision
    await this.#removeFiles()
  }

  async #open(): Promise<ChildLink> {
    const { name, datasets, logger, sessions, writeSessions = 4, maxWaiting, roles, dataDir } = this.#options
    const startedMs = performance.now()
    const path = await this.#folder()
    const link = await ChildLink.start({
      path,
      removePath: dataDir === undefined,
      sessions,
      writeSessions,
      maxWaiting,
      roles,
      node: name,
      logger,
    })
    try {
      for (const dataset of datasets) await link.seed(dataset)
    } catch (error) {
      link.kill()
      await link.exited
      const said = error instanceof Error ? error.message : String(error)
      const remedy = 'Where its disk is full, make room on it, or name another folder.'
      throw new EngineStartError('ENGINE_FAILED', `The engine cannot fill its tables in ${path}: ${said}. ${remedy}`)
    }
    logger.info('engine ready', { pid: link.pid, node: name, ms: Math.round(performance.now() - startedMs) })
    this.#link = link
    this.#failed = false
    return link
  }

  async #supervise(first: ChildLink): Promise<void> {
    let link: ChildLink | undefined = first
    let failures = 0
    const { name, logger } = this.#options
    while (!this.#closing.signal.aborted) {
      if (link !== undefined) {
        const sinceMs = performance.now()
        const how = await link.exited
        this.#link = undefined
        if (this.#closing.signal.aborted) return
        if (performance.now() - sinceMs > SETTLED_MS) failures = 0
        logger.error('engine ended, starting it again', { node: name, how })
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
      const { name, logger } = this.#options
      if (!this.#closing.signal.aborted) logger.error('engine did not start', { node: name, error: String(error) })
      return undefined
    }
  }

  /** One that can be written to, as far as can be told without doing so: of a full disk the engine says what it cannot. */
  async #folder(): Promise<string> {
    const { dataDir: folder } = this.#options
    if (folder !== undefined) {
      await usingFolder({ field: 'dataDir', folder }, async () => {
        await makeFolder(folder)
        await access(folder, constants.W_OK)
      })
    }
    this.#path ??= folder ?? (await temporaryFolder())
    return this.#path
  }

  async #removeFiles(): Promise<void> {
    if (this.#options.dataDir === undefined && this.#path !== undefined)
      await rm(this.#path, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function temporaryFolder(): Promise<string> {
  const folder = tmpdir()
  const named = { source: 'environment', field: 'TMPDIR', folder }
  return usingFolder(named, () => mkdtemp(join(folder, 'sluice-gateway-')))
}
