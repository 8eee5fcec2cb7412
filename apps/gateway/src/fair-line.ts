/** A line in which owners have their turn one after another, however many each of them has waiting. */
export class FairLine<T> {
  /** In the order of their turns. */
  readonly #byOwner = new Map<string, T[]>()

  get isEmpty(): boolean {
    return this.#byOwner.size === 0
  }

  push(owner: string, item: T): void {
    const own = this.#byOwner.get(owner)
    if (own) own.push(item)
    else this.#byOwner.set(owner, [item])
  }

  /**
   * Takes what is next.
   * @param mayHave owners of whom this does not hold are passed over, and keep their turn
   * @returns undefined: nobody waits who may have it
   */
  next(mayHave: (owner: string) => boolean = () => true): { readonly owner: string; readonly item: T } | undefined {
    for (const [owner, items] of this.#byOwner) {
      if (!mayHave(owner)) continue
      const [item] = items.splice(0, 1) as [T] // an owner of nothing is not in the line
      this.#byOwner.delete(owner)
      if (items.length > 0) this.#byOwner.set(owner, items)
      return { owner, item }
    }
    return undefined
  }
}
