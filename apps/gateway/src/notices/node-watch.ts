import type { Clock } from '@sluice/core'
import type { QueryNode } from '../nodes/node.js'
import type { NoticeBoard } from './notice-board.js'

/** How often nodes are looked at. */
const EVERY_MS = 1000
/** One that does not answer for so many looks is gone: an engine that is started again at once was never away. */
const LOOKS = 3

/** Tells of nodes that go and come, as no state machine does. */
export class NodeWatch {
  readonly #board: NoticeBoard
  readonly #nodes: readonly Pick<QueryNode, 'name' | 'state'>[]
  readonly #clock: Clock
  /** In how many looks in a row each did not answer. */
  readonly #missed = new Map<string, number>()
  #stop: () => void

  constructor(board: NoticeBoard, nodes: readonly Pick<QueryNode, 'name' | 'state'>[], clock: Clock) {
    this.#board = board
    this.#nodes = nodes
    this.#clock = clock
    this.#stop = clock.timer(EVERY_MS, () => this.#look())
  }

  close(): void {
    this.#stop()
  }

  #look(): void {
    this.#stop = this.#clock.timer(EVERY_MS, () => this.#look())
    for (const { name, state } of this.#nodes) {
      const missed = this.#missed.get(name) ?? 0
      const now = state === 'up' ? 0 : missed + 1
      this.#missed.set(name, now)
      if (now === LOOKS) {
        const message = `Node "${name}" does not answer. What goes there waits; queries that need it fail.`
        this.#board.post({ level: 'error', kind: 'node-down', source: null, message })
      } else if (now === 0 && missed >= LOOKS) {
        this.#board.post({ level: 'info', kind: 'node-up', source: null, message: `Node "${name}" answers again.` })
      }
    }
  }
}
