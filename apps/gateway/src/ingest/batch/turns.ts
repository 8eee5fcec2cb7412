import { FairLine } from '../../fair-line.js'

/**
 * Lets so many at a time do something that needs much memory, one of each owner; others wait, owners in turn: who has many
 * waits for their own.
 */
export class Turns {
  #free: number
  readonly #busy = new Set<string>()
  readonly #line = new FairLine<() => void>()

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  async take<T>(owner: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#line.push(owner, resolve)
      this.#begin()
    })
    try {
      return await work()
    } finally {
      this.#free += 1
      this.#busy.delete(owner)
      this.#begin()
    }
  }

  #begin(): void {
    if (this.#free === 0) return
    const next = this.#line.next((owner) => !this.#busy.has(owner))
    if (next === undefined) return
    this.#free -= 1
    this.#busy.add(next.owner)
    next.item()
  }
}
