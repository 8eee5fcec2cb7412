import { isAscii } from 'node:buffer'

/** So much is decoded at once: each row by itself would cost a third of what it does to check it. */
const PIECE_BYTES = 32_768

/** The text of rows that are asked for one after another. */
export class RowTexts {
  readonly #body: Buffer
  /** What is decoded, where all of it is ASCII, so that each byte of it is a character. */
  #piece = ''
  #from = 0
  #end = 0
  #isAscii = false

  /** @param body that is UTF-8 */
  constructor(body: Buffer) {
    this.#body = body
  }

  /** @param end not before any that was asked for earlier */
  at(from: number, end: number): string {
    if (end > this.#end) {
      const piece = this.#body.subarray(from, Math.max(end, from + PIECE_BYTES))
      this.#from = from
      this.#end = from + piece.length
      this.#isAscii = isAscii(piece)
      this.#piece = this.#isAscii ? piece.toString('latin1') : ''
    }
    return this.#isAscii
      ? this.#piece.slice(from - this.#from, end - this.#from)
      : this.#body.toString('utf8', from, end)
  }
}
