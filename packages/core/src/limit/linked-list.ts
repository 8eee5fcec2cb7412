/** A place in a {@link LinkedList}. */
export interface Link<T> {
  readonly value: T
  before: Link<T> | undefined
  after: Link<T> | undefined
}

/** A list from whose middle anything can be taken at once: an array would search, and move all that follows. */
export class LinkedList<T> {
  first: Link<T> | undefined
  last: Link<T> | undefined
  size = 0

  /** Puts a value behind `before`; undefined: at the front. */
  insert(value: T, before: Link<T> | undefined): Link<T> {
    const after = before ? before.after : this.first
    const link = { value, before, after }
    if (before) before.after = link
    else this.first = link
    if (after) after.before = link
    else this.last = link
    this.size++
    return link
  }

  /** Takes out a link that is in this list. */
  remove({ before, after }: Link<T>): void {
    if (before) before.after = after
    else this.first = after
    if (after) after.before = before
    else this.last = before
    this.size--
  }

  *[Symbol.iterator](): Generator<T> {
    for (let link = this.first; link; link = link.after) yield link.value
  }
}
