/** Something that happens. */
export interface WorldEvent {
  readonly atUs: number
  /** Events of one microsecond happen in the order in which they were planned. */
  readonly sequence: number
  /** null: called off. */
  fire: (() => void) | null
}

/** What is to happen, the next first: a binary heap over (time, sequence). */
export class EventHeap {
  readonly #events: WorldEvent[] = []

  get next(): WorldEvent | undefined {
    return this.#events[0]
  }

  push(event: WorldEvent): void {
    const events = this.#events
    let at = events.length
    events.push(event)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = events[above]
      if (parent === undefined || !isBefore(event, parent)) break
      events[at] = parent
      at = above
    }
    events[at] = event
  }

  /** Takes the next away. */
  pop(): void {
    const events = this.#events
    const last = events.pop()
    if (last === undefined || events.length === 0) return
    const { length } = events
    let at = 0
    for (let below = 1; below < length; below = 2 * at + 1) {
      let child = events[below]
      const right = events[below + 1]
      if (child !== undefined && right !== undefined && isBefore(right, child)) {
        child = right
        below++
      }
      if (child === undefined || !isBefore(child, last)) break
      events[at] = child
      at = below
    }
    events[at] = last
  }
}

const isBefore = (a: WorldEvent, b: WorldEvent): boolean =>
  a.atUs < b.atUs || (a.atUs === b.atUs && a.sequence < b.sequence)
