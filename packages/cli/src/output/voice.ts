import type { Writable } from 'node:stream'
import type { World } from '../world.js'

const RED = 31
const DIM = 2

/** What a command says to the person, on stderr: one line a message, coloured on a terminal only. */
export interface Voice {
  /** `Error: …` */
  error(message: string): Promise<void>
  /** A line for somebody who watches; nothing where nobody does. */
  note(line: string): Promise<void>
  /** Ends the line that another stream has left open on the same terminal. */
  breakLine(): Promise<void>
  /** One JSON object, on one line. */
  json(value: object): Promise<void>
}

/** Whether escape codes are welcome on a stream: it is a terminal, and neither NO_COLOR nor TERM=dumb says otherwise. */
export const wantsColour = (world: Pick<World, 'env' | 'isTTY'>, stream: 'stdout' | 'stderr'): boolean =>
  world.isTTY[stream] && !world.env.NO_COLOR && world.env.TERM !== 'dumb'

export function voiceOf(world: Pick<World, 'env' | 'isTTY' | 'stderr'>): Voice {
  const colour = wantsColour(world, 'stderr')
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  return {
    error: (message) => say(world.stderr, `${paint(RED, 'Error:')} ${printable(message)}`),
    note: async (line) => (world.isTTY.stderr ? say(world.stderr, paint(DIM, printable(line))) : undefined),
    breakLine: () => say(world.stderr, ''),
    json: (value) => say(world.stderr, JSON.stringify(value)),
  }
}

/** Names of documents and words of servers may hold escape sequences, which a terminal would obey. Lines stay. */
export const printable = (text: string): string => text.replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, ' ')

/** Resolves in any case: where stderr is closed there is nobody left to tell. */
const say = (stream: Writable, line: string): Promise<void> =>
  new Promise((resolve) => {
    if (stream.listenerCount('error') === 0) stream.on('error', () => {})
    stream.write(`${line}\n`, () => resolve())
  })
