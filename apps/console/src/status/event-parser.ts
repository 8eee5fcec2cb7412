/** One event of a stream, as the HTML standard dispatches it. */
export interface StreamEvent {
  /** `message` where the stream names none. */
  readonly type: string
  readonly data: string
}

/** Takes a stream of server-sent events apart, in whatever pieces it comes. Ids and retry times are not used here. */
export class EventParser {
  #rest = ''
  #type = ''
  #data: string[] = []

  /** @returns the events that are complete with this text */
  push(text: string): StreamEvent[] {
    const events: StreamEvent[] = []
    const whole = this.#rest + text
    // A carriage return at the very end may be half of a line's end.
    const lines = whole.split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') this.#dispatch(events)
      else this.#take(line)
    }
    return events
  }

  #take(line: string): void {
    const colon = line.indexOf(':')
    if (colon === 0) return // a comment
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') this.#type = value
    if (field === 'data') this.#data.push(value)
  }

  #dispatch(events: StreamEvent[]): void {
    if (this.#data.length > 0) events.push({ type: this.#type || 'message', data: this.#data.join('\n') })
    this.#type = ''
    this.#data = []
  }
}
