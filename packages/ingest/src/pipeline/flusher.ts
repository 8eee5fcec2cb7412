import type { Clock } from '@sluice/core'
import type { Route, Router } from '../route/router.js'
import { countOf, type MadeBlock } from './chunk.js'
import type { Delivery, Sent } from './delivery.js'
import type { IngestNode } from './ingest-node.js'
import type { Marks } from './marks.js'
import type { NodePool } from './node-pool.js'
import type { PipelineSettings } from './options.js'
import { type Pace, Paces } from './paces.js'
import type { Queues } from './queues.js'
import type { SourceGuard } from './source-guard.js'
import type { SourceQueue } from './source-queue.js'
import { within } from './within.js'

/** A block that was refused so often is told to its owner. */
const REFUSALS = 3

/** Of so many that cannot begin a turn is given up; they come again behind all others. */
const MOST_PASSED = 256

/** What the flusher is made of. */
export interface FlusherOptions {
  readonly settings: PipelineSettings
  readonly isolation: boolean
  readonly flushIntervalMs: number | ((source: string) => number) | undefined
  readonly queues: Queues
  readonly guard: SourceGuard
  readonly router: Router
  readonly pool: NodePool
  readonly delivery: Delivery
  readonly marks: Marks
  readonly newId: () => string
  readonly clock: Clock
  readonly onError: (what: string, error: unknown) => void
}

/** Sends blocks: whose turn it is, where to, and what is made of the outcome. */
export class Flusher {
  readonly #options: FlusherOptions
  readonly #paces: Paces
  readonly #underWay = new Set<Promise<void>>()
  #isStopped = false

  constructor(options: FlusherOptions) {
    this.#options = options
    this.#paces = new Paces(options.flushIntervalMs, (source) => options.guard.baselineMs(source))
  }

  /**
   * Begins whatever can begin. Call it when something is due, has ended, or may have become possible.
   * @param most so many that cannot are looked at, whose turn is then over: there may be thousands
   */
  pump(most: number = MOST_PASSED): void {
    const { queues, isolation } = this.#options
    if (!isolation) {
      while (queues.inOrder().some((queue) => this.#canBegin && this.#begin(queue)));
      return
    }
    const passed: SourceQueue[] = []
    for (const queue of queues.inTurn()) {
      if (!this.#canBegin) return
      if (this.#begin(queue)) queues.turnOver(queue)
      else if (passed.push(queue) >= most) break
    }
    if (passed.length >= most) for (const queue of passed) queues.turnOver(queue)
  }

  /** I8: whether all that keeps a data source from being written is that others hold the slots of its node. */
  isCrowdedOut(queue: SourceQueue): boolean {
    const { name, node, hasWork } = queue
    if (!hasWork || node === null || queue.inFlight() > 0) return false
    return !this.#options.pool.hasRoom(node, this.#paceOf(name))
  }

  #paceOf(source: string): Pace {
    return this.#options.isolation ? this.#paces.of(source) : 'quick'
  }

  get #canBegin(): boolean {
    return !this.#isStopped && this.#options.pool.hasAnyRoom('quick')
  }

  /** Fulfils when nothing is under way and nothing more can begin. */
  async drain(): Promise<void> {
    this.pump(Number.POSITIVE_INFINITY)
    while (this.#underWay.size > 0) {
      await Promise.race(this.#underWay)
      this.pump(Number.POSITIVE_INFINITY)
    }
  }

  /** Begins nothing any more. */
  stop(): void {
    this.#isStopped = true
  }

  #begin(queue: SourceQueue): boolean {
    const { settings, isolation, guard, router, pool, clock, newId } = this.#options
    const { name, again } = queue
    // What hangs on a node that is gone must not keep the others from going elsewhere.
    const isUp = (node: string): boolean => pool.isUp(node)
    if (queue.isPaused) return false
    if (isolation && queue.inFlight(isUp) >= settings.maxPerSource) return this.#claimAhead(queue)
    const now = clock.now()
    const unsure = again.find((block) => now >= block.notBeforeMs && this.#whereToLook(block) !== null)
    if (unsure) return this.#start(queue, unsure, this.#whereToLook(unsure) ?? '', this.#lookUp(queue, unsure))
    if (now < queue.notBeforeMs || (isolation && !guard.mayTry(name))) return false
    const resend = again.find((block) => this.#maySend(block, now))
    // One block that is refused each time must not keep the others from being tried.
    const isFresh = queue.partitions > 0 && (!resend || queue.failures % 2 === 1)
    if (!resend && !isFresh) return false
    if (queue.node !== null && again.length === 0 && !pool.hasAnyRoom(this.#paceOf(name))) return false
    const isBreakersProbe = isolation && !guard.isClosed(name)
    // A flush that may yet be withheld is no probe of a node.
    const route = router.route(name, !isBreakersProbe && (isFresh || resend?.unknownOn.size === 0))
    queue.node = route.node
    if (!pool.isUp(route.node)) {
      if (route.isProbe) router.report(route, { isWritten: false })
      return false
    }
    if (!route.isProbe && !pool.hasRoom(route.node, this.#paceOf(name))) return false
    if (!isFresh && resend?.unknownOn.has(route.node)) return false
    if (isBreakersProbe && !guard.mayFlush(name, pool.health(route.node))) return false
    const block = isFresh ? queue.take(newId(), settings, !isolation) : resend
    return block ? this.#start(queue, block, route.node, this.#send(queue, block, route)) : false
  }

  #start(queue: SourceQueue, block: MadeBlock, node: string, act: Promise<void>): boolean {
    const { again } = queue
    if (again.includes(block)) again.splice(again.indexOf(block), 1)
    queue.begin(node)
    const ended: Promise<void> = act.finally(() => {
      queue.ended(node)
      this.#underWay.delete(ended)
      this.#options.queues.settle(queue)
      this.pump()
    })
    this.#underWay.add(ended)
    return true
  }

  /**
   * As many of it are under way as may be, and rows of others are due: their claims are put on disk meanwhile, so that for
   * each that ends another can go at once. Less rows wait for more.
   * @returns false: nothing was sent
   */
  #claimAhead(queue: SourceQueue): false {
    const { settings, guard, pool, newId } = this.#options
    const node = pool.get(queue.node ?? '')
    if (!node || queue.failures > 0 || !guard.isClosed(queue.name)) return false
    while (queue.ahead < settings.maxPerSource && queue.due.rows >= settings.maxRows) {
      const block = queue.take(newId(), settings)
      if (!block) return false
      const claimed: Promise<void> = this.#claim(queue, block, node).finally(() => this.#underWay.delete(claimed))
      this.#underWay.add(claimed)
    }
    return false
  }

  async #claim(queue: SourceQueue, block: MadeBlock, node: IngestNode): Promise<void> {
    queue.claimsAhead(1)
    // What the spool says is said again when the block is sent.
    await this.#options.delivery.claim(block, node).catch(() => {})
    queue.again.push(block)
    queue.claimsAhead(-1)
    this.#options.queues.settle(queue)
    this.pump()
  }

  /** A node that answers, on which this block may be. */
  #whereToLook(block: MadeBlock): string | null {
    const { pool } = this.#options
    const pace = this.#paceOf(block.source)
    for (const node of block.unknownOn.keys()) if (pool.isUp(node) && pool.hasRoom(node, pace)) return node
    return null
  }

  /** I4: it is nowhere, or nobody could be asked for long enough. */
  #maySend({ unknownOn, notBeforeMs }: MadeBlock, nowMs: number): boolean {
    const { pool, settings } = this.#options
    if (nowMs < notBeforeMs) return false
    for (const [node, sinceMs] of unknownOn) {
      const downSinceMs = pool.downSinceMs(node)
      if (downSinceMs === null || nowMs - Math.max(sinceMs, downSinceMs) < settings.rerouteAfterMs) return false
    }
    return true
  }

  async #lookUp(queue: SourceQueue, block: MadeBlock): Promise<void> {
    const { pool, delivery, clock, settings, onError } = this.#options
    const name = this.#whereToLook(block) ?? ''
    const node = pool.get(name)
    if (!node) return void queue.again.push(block)
    const end = pool.begin(name, this.#paceOf(block.source))
    try {
      if (await delivery.lookUp(block, node)) return this.#isWritten(queue, block)
    } catch (error) {
      block.notBeforeMs = clock.now() + settings.retryMs
      onError(`block ${block.id} could not be looked up on ${name}`, error)
      void pool.ping(name).then(() => this.pump())
    } finally {
      end()
    }
    queue.again.push(block)
  }

  async #send(queue: SourceQueue, block: MadeBlock, route: Route): Promise<void> {
    const { pool, delivery, guard, router, queues } = this.#options
    const node = pool.get(route.node)
    if (!node) return void queue.again.push(block)
    if (block.unknownOn.size > 0 && !block.isMaybeDuplicated) {
      block.isMaybeDuplicated = true
      queue.maybeDuplicatedRows += block.count
      queues.maybeDuplicatedBlocks++
    }
    const end = pool.begin(route.node, this.#paceOf(block.source))
    const sent = await delivery.send(block, node)
    end()
    if (sent.kind === 'written') {
      this.#paces.took(block.source, sent.tookMs)
      router.report(route, { isWritten: true, tookMs: sent.tookMs })
      guard.written(queue.name, sent.tookMs, block.count, block.bytes)
      queue.failures = 0
      this.#isWritten(queue, block, true)
      void this.#askForParts(queue, route.node)
    } else this.#hasFailed(queue, block, route, sent)
  }

  #isWritten(queue: SourceQueue, block: MadeBlock, isMeasured = false): void {
    const { guard, marks, queues } = this.#options
    if (!isMeasured) guard.drained(queue.name, block.count, block.bytes)
    const done = [...block.claims.values()]
    for (const chunk of block.chunks) {
      if (chunk.lines) queues.held(queue, -chunk.bytes)
      if (queue.written(chunk.sequence, countOf(chunk))) done.push(chunk.sequence)
    }
    queues.drained.add(block.bytes)
    if (queue.refused.delete(block.id)) guard.refused(queue.name, queue.refused.size)
    marks.add(done)
  }

  #hasFailed(queue: SourceQueue, block: MadeBlock, route: Route, sent: Exclude<Sent, { kind: 'written' }>): void {
    const { settings, guard, router, pool, queues, clock, onError } = this.#options
    const { name } = queue
    const fault = sent.kind === 'not_written' ? sent.fault : 'node'
    const isItsOwn = fault === 'source' && sent.kind === 'not_written'
    // Of a node that says what is wrong with the rows a probe has shown that it works.
    if (isItsOwn && route.isProbe) router.report(route, { isWritten: true, tookMs: sent.tookMs })
    else if (!isItsOwn && (sent.kind !== 'not_sent' || route.isProbe)) router.report(route, { isWritten: false })
    if (sent.kind === 'unknown' && sent.isTimeout) {
      guard.timedOut(name, settings.insertTimeoutMs)
      this.#paces.took(name, settings.insertTimeoutMs)
    } else guard.failed(name)
    if (fault === 'resources') pool.wasShort(route.node)
    if (sent.kind === 'unknown' || (sent.kind === 'not_written' && fault === 'node')) {
      const isTimeout = sent.kind === 'unknown' && sent.isTimeout
      void (isTimeout ? pool.ping(route.node) : pool.lost(route.node)).then(() => this.pump())
    }
    queue.failures++
    queue.notBeforeMs = clock.now() + this.#backOff(fault === 'node' ? 1 : queue.failures)
    if (isItsOwn) {
      block.notBeforeMs = clock.now() + this.#backOff(++block.refusals)
      if (block.refusals >= REFUSALS) queue.refused.add(block.id)
      guard.refused(name, queue.refused.size)
    }
    queue.again.push(queues.released(queue, block))
    onError(`block ${block.id} of ${name}: ${sent.kind.replace('_', ' ')} on ${route.node}`, sent.error)
  }

  #backOff(times: number): number {
    const { retryMs, maxRetryMs } = this.#options.settings
    return Math.min(maxRetryMs, retryMs * 2 ** Math.min(30, times - 1))
  }

  async #askForParts(queue: SourceQueue, name: string): Promise<void> {
    const { settings, pool, guard, clock, isolation } = this.#options
    const now = clock.now()
    const node = pool.get(name)
    if (!isolation || !node || now - queue.partsAskedMs < settings.partsEveryMs) return
    queue.partsAskedMs = now
    try {
      const parts = await within(clock, settings.pingTimeoutMs, (signal) => node.activeParts(queue.name, signal))
      if (parts) guard.parts(queue.name, parts)
    } catch {
      // Nobody knows then, which is no signal; whether the node answers is its pings' matter.
    }
  }
}
