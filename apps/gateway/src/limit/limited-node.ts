import { type AttemptReport, LimiterDisposedError, type Slot } from '@sluice/core'
import { EngineError } from '../nodes/engine-error.js'
import type { NodeAnswer, NodeQuery, QueryNode } from '../nodes/node.js'
import { NodeUnavailableError } from '../nodes/node-unavailable-error.js'
import { QueryTimeoutError } from '../nodes/query-timeout-error.js'
import type { NodeLimiter } from './node-limiter.js'
import { TenantQueueFullError } from './tenant-queue-full-error.js'

/** What queries bear before a node. */
export interface LimitedNodeOptions {
  /** A hold that lasts longer is told to the caller at once (L10). */
  readonly maxHeldMs: number
  /** Queries of one tenant that may wait: one that sends more than its share leaves the other places to others. */
  readonly maxPerTenant: number
  /** Told of what a query got in place of a slot. */
  readonly onRefused?: (error: unknown) => void
}

/** A node behind its limiter: every query has a slot, from before the node gets it until nothing of it runs (L12). */
export class LimitedNode {
  readonly #node: QueryNode
  readonly #limiter: NodeLimiter
  readonly #options: LimitedNodeOptions
  #pastLimit = 0

  constructor(node: QueryNode, limiter: NodeLimiter, options: LimitedNodeOptions) {
    this.#node = node
    this.#limiter = limiter
    this.#options = options
  }

  /** Queries that were let past the limit and run now. */
  get pastLimit(): number {
    return this.#pastLimit
  }

  /** Queries with a slot that the node refused, as it was short of something. */
  get throttles(): number {
    return this.#limiter.throttles
  }

  /**
   * Runs one read as soon as there is a slot. Those that wait have one in turn, by tenants.
   *
   * @param tenant who asks
   * @throws TenantQueueFullError, QueueFullError, QueueTimeoutError; ThrottledError with reason `held`; what the node rejects with; the
   *   signal's reason, at once also for one that waits
   */
  async query(query: NodeQuery, tenant: string): Promise<NodeAnswer> {
    const slot = await this.#slot(tenant, query.signal)
    const { answer, ended } = this.#node.query(query)
    try {
      const it = await answer
      this.#limiter.report(slot, { kind: 'success', latencyMs: it.nodeElapsedMs }) // L2: the node's own figure
      return it
    } catch (error) {
      this.#limiter.report(slot, reportOf(error))
      throw error
    } finally {
      // Only now, so that a throttle lowers the limit before its slot is given to the next.
      void ended.then(() => slot.release())
    }
  }

  /** Runs one read at once, without a slot: it is no sample either. @throws what the node rejects with */
  async queryPastLimit(query: NodeQuery): Promise<NodeAnswer> {
    this.#pastLimit += 1
    const { answer, ended } = this.#node.query(query)
    void ended.then(() => {
      this.#pastLimit -= 1
    })
    return answer
  }

  async #slot(tenant: string, signal: AbortSignal | undefined): Promise<Slot> {
    const { maxHeldMs, maxPerTenant, onRefused } = this.#options
    signal?.throwIfAborted()
    if (this.#limiter.waitingOf(tenant) >= maxPerTenant) throw new TenantQueueFullError(maxPerTenant)
    try {
      return await this.#limiter.acquire({ tenant, signal, maxHeldMs })
    } catch (error) {
      onRefused?.(error)
      if (error instanceof LimiterDisposedError) throw new NodeUnavailableError('The gateway is shutting down.', 1000)
      throw error
    }
  }
}

/** L2: a read that was killed would have taken at least so long; who fails fast is not fast. */
function reportOf(error: unknown): AttemptReport {
  if (error instanceof QueryTimeoutError) return { kind: 'timeout', latencyMs: error.timeoutMs }
  if (error instanceof EngineError && error.outOfResources) return { kind: 'throttle', retryAfterMs: null }
  return { kind: 'failure' }
}
