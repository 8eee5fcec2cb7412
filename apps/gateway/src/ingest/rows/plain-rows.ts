import type { Definition } from '../definition.js'
import { PlainShape } from './plain-shape.js'

/** A row that fits: as it is kept, and where. */
export interface FittingRow {
  readonly partition: string
  readonly row: string
}

/** Orders of members that are known at once. */
const MOST_SHAPES = 4
/** Rows that are parsed before another order is tried, where the last helped nobody or took another's place. */
const PATIENCE = 1000
/** Expressions of more members take long to compile, and with a thousand they are more than the engine of JavaScript bears. */
const MOST_MEMBERS = 200

/**
 * Recognises rows that can be kept as they are, without parsing them: a regular expression for each order of members that was
 * seen before costs a tenth of that. What it takes is what a checker would have taken, with the same values; what it does not
 * take may fit all the same.
 */
export class PlainRows {
  readonly #definition: Definition
  readonly #shapes: PlainShape[] = []
  #wait = 0

  constructor(definition: Definition) {
    this.#definition = definition
  }

  /** @param row whose characters are whole, as those of decoded UTF-8 are */
  read(row: string): FittingRow | undefined {
    for (const shape of this.#shapes) {
      const read = shape.read(row)
      if (read !== undefined) return read
    }
    return undefined
  }

  /** @param names of the members of a row that fits and was not recognised, each a column's */
  learn(row: string, names: readonly string[]): void {
    if (names.length > MOST_MEMBERS) return
    if (this.#wait > 0) {
      this.#wait--
      return
    }
    const shape = new PlainShape(names, this.#definition, row)
    const isPlain = shape.read(row) !== undefined
    const isFull = this.#shapes.length === MOST_SHAPES
    if (isPlain && isFull) this.#shapes.shift()
    if (isPlain) this.#shapes.push(shape)
    if (!isPlain || isFull) this.#wait = PATIENCE
  }
}
