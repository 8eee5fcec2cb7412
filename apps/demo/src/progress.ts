import type { Stage } from './play.js'

/** Where a live line is written: stderr, as far as it matters here. */
export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const CLEAR_LINE = '\r\u001b[K'

/** One line that is written over and over, on a terminal; nothing elsewhere. */
export class Progress {
  readonly #stream: ProgressStream
  readonly #live: boolean
  #shown = ''

  constructor(stream: ProgressStream, env: NodeJS.ProcessEnv) {
    this.#stream = stream
    this.#live = stream.isTTY === true && env.TERM !== 'dumb'
  }

  show(text: string): void {
    const line = text.slice(0, (this.#stream.columns || 80) - 1) // a line that wraps could not be cleared; 0: unknown
    if (!this.#live || line === this.#shown) return
    this.#shown = line
    this.#stream.write(CLEAR_LINE + line)
  }

  clear(): void {
    if (this.#shown !== '') this.#stream.write(CLEAR_LINE)
    this.#shown = ''
  }
}

/** `@sluice/fetch: 11 of 20 done, 6 waiting` */
export function stageLine({ name, calls, done, waiting }: Stage): string {
  return `${name}: ${done} of ${calls} done${waiting === undefined ? '' : `, ${waiting} waiting`}`
}
