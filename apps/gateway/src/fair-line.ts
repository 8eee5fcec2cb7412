/** A line in which owners have their turn one after another, however many each of them has waiting. */
export class FairLine<T> {
  /** In the order of their turns. Of each the oldest first; none is in it twice. */
  readonly #byOwner = new Map<string, Set<T>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** What is next; undefined: nobody waits. */
  get first(): T | undefined {
    for (const items of this.#byOwner.values()) for (const item of items) return item
    return undefined
  }

  /** How much one owner has waiting. */
  sizeOf(owner: string): number {
    return this.#byOwner.get(owner)?.size ?? 0
  }

  push(owner: string, item: T): void {
    const own = this.#byOwner.get(owner)
    if (own) own.add(item)
    else this.#byOwner.set(owner, new Set([item]))
    this.#size += 1
  }

  /** Takes out what leaves the line, wherever it stands: its owner keeps the turn. */
  remove(owner: string, item: T): void {
    const own = this.#byOwner.get(owner)
    if (!own?.delete(item)) return
    this.#size -= 1
    if (own.size === 0) this.#byOwner.delete(owner)
  }

  /** An owner has had its turn: the next one is behind those of all others. */
  turnOver(owner: string): void {
    const own = this.#byOwner.get(owner)
    if (!own) return
    this.#byOwner.delete(owner)
    this.#byOwner.set(owner, own)
  }

  /**
   * Takes what is next.
   * @param mayHave owners of whom this does not hold are passed over, and keep their turn
   * @returns undefined: nobody waits who may have it
   */
  next(mayHave: (owner: string) => boolean = () => true): { readonly owner: string; readonly item: T } | undefined {
    for (const [owner, items] of this.#byOwner) {
      if (!mayHave(owner)) continue
      const { value: item } = items.values().next() as IteratorYieldResult<T> // an owner of nothing is not in the line
      this.remove(owner, item)
      this.turnOver(owner)
      return { owner, item }
    }
    return undefined
  }

  /** All that wait, in the order in which they would have their turns. */
  *[Symbol.iterator](): Generator<T> {
    let owners = [...this.#byOwner.values()].map((items) => items.values())
    while (owners.length > 0) {
      const round = owners.map((items) => ({ items, next: items.next() }))
      owners = round.flatMap(({ items, next }) => (next.done ? [] : [items]))
      for (const { next } of round) if (!next.done) yield next.value
    }
  }
}
