import type { Figures } from '../src/play.js'

/** Figures of a client that got everything at once, but for what is given. */
export function figuresOf(changes: Partial<Figures> = {}): Figures {
  return {
    name: 'plain fetch',
    calls: 20,
    sends: 20,
    refusals: 0,
    earlyKnocks: 0,
    failures: 0,
    broken: 0,
    elapsedMs: 100,
    ...changes,
  }
}
