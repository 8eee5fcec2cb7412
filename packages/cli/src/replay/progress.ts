import type { Readable } from 'node:stream'
import { wantsColour } from '../output/voice.js'
import type { World } from '../world.js'

/** How far a long read has come, for somebody who watches. */
export interface Progress {
  /** Passes chunks on, and tells how much that was. */
  count(source: Readable): AsyncIterable<Uint8Array>
  /** Takes the line away. */
  end(): void
}

const MIB = 1 << 20
/** A file that takes less than a second needs no line. */
const EACH = 32 * MIB

/** @param size in bytes; null: it is not known */
export function progressOf(world: World, size: number | null): Progress {
  const isShown = wantsColour(world, 'stderr')
  const ofAll = size === null ? '' : ` of ${Math.ceil(size / MIB)}`
  let bytes = 0
  let told = 0
  return {
    async *count(source) {
      for await (const chunk of source) {
        const given: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
        bytes += given.length
        if (isShown && bytes - told >= EACH) {
          told = bytes
          world.stderr.write(`\r\u001b[2K${Math.floor(bytes / MIB)}${ofAll} MiB`)
        }
        yield given
      }
    },
    end() {
      if (told > 0) world.stderr.write('\r\u001b[2K')
    },
  }
}
