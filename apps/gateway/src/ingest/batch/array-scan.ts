const [QUOTE, COMMA, OPEN, BACKSLASH, CLOSE, OPEN_OBJECT, CLOSE_OBJECT] = [34, 44, 91, 92, 93, 123, 125]

/** Finds the elements of a JSON array in its bytes, which it may be given piece by piece. */
export class ArrayScan {
  /** Where it goes on. */
  #at: number
  /** Where the element begins that it is in. */
  #from: number
  #depth = 0
  #isText = false
  /** Where the bracket is that closes the array, or one in its place; undefined: it has not come yet. */
  end: number | undefined

  /** @param start where the array begins */
  constructor(start: number) {
    this.#at = start
    this.#from = start + 1
  }

  /**
   * Goes on, up to the array's end at most.
   * @param to where it stops
   * @param onElement told where each element begins and has ended, spaces and all: also of `[]` that there is nothing
   */
  read(json: Uint8Array, to: number, onElement: (from: number, end: number) => void): void {
    let at = this.#at
    for (; at < to && this.end === undefined; at++) {
      const byte = json[at]
      if (this.#isText) {
        if (byte === BACKSLASH) at++
        else if (byte === QUOTE) this.#isText = false
      } else if (byte === QUOTE) this.#isText = true
      else if (byte === OPEN || byte === OPEN_OBJECT) this.#depth++
      else if (byte === COMMA && this.#depth === 1) this.#ended(at, onElement)
      else if ((byte === CLOSE || byte === CLOSE_OBJECT) && --this.#depth === 0) {
        this.#ended(at, onElement)
        this.end = at
      }
    }
    this.#at = at
  }

  #ended(at: number, onElement: (from: number, end: number) => void): void {
    onElement(this.#from, at)
    this.#from = at + 1
  }
}
