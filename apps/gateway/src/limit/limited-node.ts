import { type AttemptReport, LimiterDisposedError, type Slot } from '@sluice/core'
import { EngineError } from '../nodes/engine-error.js'
import type { NodeAnswer, NodeQuery, QueryNode } from '../nodes/node.js'
import { NodeUnavailableError } from '../nodes/node-unavailable-error.js'
import { QueryTimeoutError } from '../nodes/query-timeout-error.js'
import type { NodeLimiter } from './node-limiter.js'

/** A node behind its limiter: every query has a slot, from before the node gets it until nothing of it runs (L12). */
export class LimitedNode {
  readonly #node: QueryNode
  readonly #limiter: NodeLimiter
  readonly #maxHeldMs: number
  #pastLimit = 0

  /** @param maxHeldMs a hold that lasts longer is told to the caller at once (L10) */
  constructor(node: QueryNode, limiter: NodeLimiter, maxHeldMs: number) {
    this.#node = node
    this.#limiter = limiter
    this.#maxHeldMs = maxHeldMs
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
   * Runs one read as soon as there is a slot.
   *
   * @throws QueueFullError, QueueTimeoutError; ThrottledError with reason `held`; what the node rejects with; the
   *   signal's reason, at once also for one that waits
   */
  async query(query: NodeQuery): Promise<NodeAnswer> {
    const slot = await this.#slot(query.signal)
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

  async #slot(signal: AbortSignal | undefined): Promise<Slot> {
    try {
      return await this.#limiter.semaphore.acquire({ signal, maxHeldMs: this.#maxHeldMs })
    } catch (error) {
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
