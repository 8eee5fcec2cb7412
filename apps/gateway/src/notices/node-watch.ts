import type { Clock } from '@sluice/core'
import type { NodeTrouble, QueryNode } from '../nodes/node.js'
import type { NoticeBoard } from './notice-board.js'

/** How often nodes are looked at. */
const EVERY_MS = 1000
/** One that does not serve the gateway for so many looks is gone: an engine that is started again at once was never away. */
const LOOKS = 3
/** Of a node that says nothing of itself. */
const SILENT: NodeTrouble = { kind: 'silent', words: 'does not answer' }

/** What a watch looks at. */
export type WatchedNode = Pick<QueryNode, 'name' | 'state' | 'trouble'>

/** A node went, or came back. */
export interface NodeChange {
  readonly isGone: boolean
  /** Epoch milliseconds. */
  readonly atMs: number
}

/** Knows which nodes are gone, and tells of those that go and come, as no state machine does. */
export class NodeWatch {
  readonly #board: NoticeBoard
  readonly #nodes: readonly WatchedNode[]
  readonly #clock: Clock
  /** In how many looks in a row each was away for the same reason. */
  readonly #missed = new Map<string, { looks: number; kind: NodeTrouble['kind'] }>()
  /** For what each is told to be gone: once, whichever of them comes again. */
  readonly #told = new Map<string, Set<NodeTrouble['kind']>>()
  /** The last of each node; null: of all together. */
  readonly #changes = new Map<string | null, NodeChange>()
  #stop = (): void => {}

  constructor(board: NoticeBoard, nodes: readonly WatchedNode[], clock: Clock) {
    this.#board = board
    this.#nodes = nodes
    this.#clock = clock
  }

  /** Begins to look, once nodes have been started. */
  start(): void {
    this.#stop = this.#clock.timer(EVERY_MS, () => this.#look())
  }

  close(): void {
    this.#stop()
  }

  /**
   * How a node changed last.
   * @param name null: all of them together, which are gone where each is
   * @returns undefined: it has been there since the start
   */
  lastChange(name: string | null): NodeChange | undefined {
    return this.#changes.get(name)
  }

  #look(): void {
    this.start()
    for (const node of this.#nodes) {
      if (node.state === 'up') this.#isThere(node)
      else this.#isAway(node)
    }
    const areGone = this.#nodes.every(({ name }) => this.#isGone(name))
    if (areGone !== this.#isGone(null)) this.#change(null, areGone)
  }

  #isAway({ name, trouble = SILENT }: WatchedNode): void {
    const before = this.#missed.get(name)
    const looks = before?.kind === trouble.kind ? before.looks + 1 : 1
    this.#missed.set(name, { looks, kind: trouble.kind })
    const told = this.#told.get(name) ?? new Set()
    if (looks < LOOKS || told.has(trouble.kind)) return
    this.#told.set(name, told.add(trouble.kind))
    if (!this.#isGone(name)) this.#change(name, true)
    const message = `Node "${name}" ${trouble.words}. What goes there waits, and its data sources are delayed; queries that need it fail.`
    this.#board.post({ level: 'error', kind: 'node-down', source: null, message })
  }

  #isThere({ name }: WatchedNode): void {
    this.#missed.delete(name)
    this.#told.delete(name)
    if (!this.#isGone(name)) return
    this.#change(name, false)
    const message = `Node "${name}" is there again. What waited for it is written.`
    this.#board.post({ level: 'info', kind: 'node-up', source: null, message })
  }

  #isGone(name: string | null): boolean {
    return this.#changes.get(name)?.isGone ?? false
  }

  #change(name: string | null, isGone: boolean): void {
    this.#changes.set(name, { isGone, atMs: Math.round(this.#clock.wallNow()) })
  }
}
