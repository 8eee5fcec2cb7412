import { Readable, Writable } from 'node:stream'
import type { World } from '@sluice/cli'

/** A world without a process: what was written can be read back. */
export interface MemoryWorld {
  world: World
  stdout(): string
  stderr(): string
}

export function memoryWorld(given: Partial<World> & Pick<World, 'argv'>): MemoryWorld {
  const written = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof written): Writable =>
    new Writable({
      write(chunk, _encoding, callback) {
        written[name] += chunk
        callback()
      },
    })
  const world: World = {
    env: {},
    stdin: Readable.from([]),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    isTTY: { stdout: false, stderr: false },
    signal: new AbortController().signal,
    ...given,
  }
  return { world, stdout: () => written.stdout, stderr: () => written.stderr }
}
