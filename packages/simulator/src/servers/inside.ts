import type { Answer } from './answer.js'

/** One attempt that is worked on. */
export interface Entry {
  readonly arrivedUs: number
  readonly answered: (answer: Answer) => void
  /** Where it stands; −1: it is there no more. */
  place: number
}

/**
 * The attempts that a server works on. A list in which the last takes the place of one that goes: a Set leaves tables
 * behind that refer to each other, and the garbage collector takes them and all they held for alive.
 */
export class Inside {
  readonly #entries: Entry[] = []

  get size(): number {
    return this.#entries.length
  }

  add(arrivedUs: number, answered: (answer: Answer) => void): Entry {
    const entry = { arrivedUs, answered, place: this.#entries.length }
    this.#entries.push(entry)
    return entry
  }

  /** @returns whether it was there */
  remove(entry: Entry): boolean {
    const { place } = entry
    const last = this.#entries[this.#entries.length - 1]
    if (place < 0 || last === undefined) return false
    this.#entries.pop()
    if (last !== entry) {
      this.#entries[place] = last
      last.place = place
    }
    entry.place = -1
    return true
  }

  /** Takes all of them out. @returns them, in the order in which they came */
  clear(): Entry[] {
    const all = this.#entries.splice(0)
    for (const entry of all) entry.place = -1
    return all.sort((a, b) => a.arrivedUs - b.arrivedUs)
  }
}
