import type { Definition } from '../definition.js'
import { PlainShape } from './plain-shape.js'

/** Orders of members that are known at once. */
const MOST_SHAPES = 4
/** Rows that are parsed before another order is tried, where the last helped nobody or took another's place. */
const PATIENCE = 1000

/**
 * Recognises rows that can be kept as they are, without parsing them or making texts of them: to go once over their bytes, by
 * each order of members that was seen before, costs a twentieth of that. What it takes is what a checker would have taken,
 * with the same values; what it does not take may fit all the same.
 */
export class PlainRows {
  readonly #definition: Definition
  readonly #shapes: PlainShape[] = []
  #wait = 0

  constructor(definition: Definition) {
    this.#definition = definition
  }

  /**
   * @param bytes that are UTF-8
   * @param from where the row begins, and where it has ended
   * @returns what is to be known of it, until the next is read
   */
  read(bytes: Uint8Array, from: number, end: number): PlainShape | undefined {
    for (const shape of this.#shapes) if (shape.read(bytes, from, end)) return shape
    return undefined
  }

  /** @param names of the members of a row that fits and was not recognised, each a column's */
  learn(row: string, names: readonly string[]): void {
    if (this.#wait > 0) {
      this.#wait--
      return
    }
    const shape = new PlainShape(names, this.#definition)
    const bytes = Buffer.from(row)
    const isPlain = shape.read(bytes, 0, bytes.length)
    const isFull = this.#shapes.length === MOST_SHAPES
    if (isPlain && isFull) this.#shapes.shift()
    if (isPlain) this.#shapes.push(shape)
    if (!isPlain || isFull) this.#wait = PATIENCE
  }
}
