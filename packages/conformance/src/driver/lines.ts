/** How much one message may hold: far more than any, and little enough that endless output does not fill memory. */
const LONGEST_LINE = 1_000_000

/** Cuts a stream of text into lines; white space around one is dropped, and so is a line of nothing else. */
export class Lines {
  #rest = ''

  /** @returns the lines that this piece of text completed, or null where one is too long to be a message. */
  push(text: string): readonly string[] | null {
    const parts = (this.#rest + text).split('\n')
    this.#rest = parts.pop() ?? ''
    if (this.#rest.length > LONGEST_LINE) return null
    return parts.map((line) => line.trim()).filter((line) => line !== '')
  }

  /** What came after the last line break. */
  rest(): string {
    return this.#rest.trim()
  }
}

/** The last lines of a stream of text, for messages. */
export class Tail {
  #text = ''

  push(text: string): void {
    this.#text = (this.#text + text).slice(-4000)
  }

  text(): string {
    return this.#text.trimEnd().split('\n').slice(-20).join('\n')
  }
}
