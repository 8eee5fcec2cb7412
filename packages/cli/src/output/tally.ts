import type { Sink } from './sink.js'

/** A sink that knows what it took. */
export interface Tally extends Sink {
  readonly bytes: number
  /** Whether the last line is still open: what comes next on the same terminal would stand behind it. */
  readonly midLine: boolean
}

export function tallyOf(sink: Sink): Tally {
  const taken = { bytes: 0, midLine: false }
  return {
    async write(chunk) {
      await sink.write(chunk)
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      if (bytes.length === 0) return
      taken.bytes += bytes.length
      taken.midLine = bytes.at(-1) !== 10 // \n
    },
    get bytes() {
      return taken.bytes
    },
    get midLine() {
      return taken.midLine
    },
  }
}
