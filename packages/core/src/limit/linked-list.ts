/** What can stand in a {@link LinkedList}, in one at a time: it is its own link, since there may be many. */
export interface Linked<T> {
  before: T | undefined
  after: T | undefined
}

/** A list from whose middle anything can be taken at once: an array would search, and move all that follows. */
export class LinkedList<T extends Linked<T>> {
  first: T | undefined
  last: T | undefined
  size = 0

  /** Puts one that is in no list behind `before`; undefined: at the front. */
  insert(one: T, before: T | undefined): void {
    const after = before ? before.after : this.first
    one.before = before
    one.after = after
    if (before) before.after = one
    else this.first = one
    if (after) after.before = one
    else this.last = one
    this.size++
  }

  /** Takes out one that is in this list. */
  remove(one: T): void {
    const { before, after } = one
    if (before) before.after = after
    else this.first = after
    if (after) after.before = before
    else this.last = before
    one.before = one.after = undefined
    this.size--
  }

  *[Symbol.iterator](): Generator<T> {
    for (let one = this.first; one; one = one.after) yield one
  }
}
