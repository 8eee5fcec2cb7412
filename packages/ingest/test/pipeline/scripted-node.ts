import type { Clock } from '@sluice/core'
import { type ActiveParts, type Block, type IngestNode, InsertError, rowsOfBlock } from '@sluice/ingest'

/** What becomes of an insert, other than that it is written and answered. */
export type Fate =
  /** The connection is lost before, or after, it is written. */
  | 'lost_before'
  | 'lost_after'
  /** It is written, and then the node is gone. */
  | 'falls'
  /** It hangs, and is written after two minutes unless somebody ends it. */
  | 'hangs'
  | 'resources'
  | 'refused'
  /** Nothing listens: that is known. */
  | 'no_connection'

/** A node that does as it is told, and keeps what is written. */
export class ScriptedNode implements IngestNode {
  readonly name: string
  readonly #clock: Clock
  /** Blocks as they were written, one after another. */
  readonly blocks: Block[] = []
  /** When each was. */
  readonly writtenAtMs: number[] = []
  readonly lookedUp: string[] = []
  attempts = 0
  isUp = true
  pingMs = 1
  insertMs: (block: Block) => number = () => 20
  fate: (block: Block) => Fate | undefined = () => undefined
  parts: (source: string) => ActiveParts | null = () => null
  /** Called before and after an insert and a look-up. */
  at: (point: string) => Promise<void> | void = () => {}
  /** Inserts that are under way, by block, with what ends each. */
  readonly #underWay = new Map<string, () => void>()

  constructor(name: string, clock: Clock) {
    this.name = name
    this.#clock = clock
  }

  get rows(): string[] {
    return this.blocks.flatMap(rowsOfBlock)
  }

  async ping(): Promise<void> {
    await this.#wait(this.pingMs)
    if (!this.isUp) throw new Error('ECONNREFUSED')
  }

  async insert(block: Block): Promise<void> {
    this.attempts++
    await this.at('before insert')
    const fate = this.fate(block)
    if (!this.isUp || fate === 'no_connection') throw new InsertError('node', 'ECONNREFUSED')
    if (fate === 'resources' || fate === 'refused')
      throw new InsertError(fate === 'refused' ? 'source' : 'resources', fate)
    if (fate === 'lost_before') throw new Error('ECONNRESET')
    await this.#write(block, fate === 'hangs' ? 120_000 : this.insertMs(block))
    await this.at('after insert')
    if (fate === 'falls') this.isUp = false
    if (fate === 'lost_after' || fate === 'falls') throw new Error('ECONNRESET')
  }

  async hasBlock({ id }: Pick<Block, 'id'>): Promise<boolean> {
    await this.at('before look-up')
    if (!this.isUp) throw new Error('ECONNREFUSED')
    this.#underWay.get(id)?.() // false is final
    await this.#wait(1)
    this.lookedUp.push(id)
    await this.at('after look-up')
    return this.blocks.some((block) => block.id === id)
  }

  activeParts(source: string): Promise<ActiveParts | null> {
    return Promise.resolve(this.parts(source))
  }

  /** Whoever asked may be gone meanwhile: it is written all the same. */
  #write(block: Block, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#clock.timer(ms, () => {
        this.#underWay.delete(block.id)
        this.blocks.push(block)
        this.writtenAtMs.push(this.#clock.now())
        resolve()
      })
      this.#underWay.set(block.id, stop)
    })
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.#clock.timer(ms, resolve))
  }
}

const NEVER = new Promise<never>(() => {})

/** How a process reaches a node: one that is gone does no more, though what it had sent goes on there. */
export function reached(node: ScriptedNode, isGone: () => boolean): IngestNode {
  return {
    name: node.name,
    ping: () => (isGone() ? NEVER : node.ping()),
    insert: (block) => (isGone() ? NEVER : node.insert(block)),
    hasBlock: (block) => (isGone() ? NEVER : node.hasBlock(block)),
    activeParts: (source) => (isGone() ? NEVER : node.activeParts(source)),
  }
}
