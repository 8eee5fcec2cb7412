import { type Answer, type AskOptions, ask } from './ask.js'
import { pause } from './pause.js'
import { CALLERS, type Sizing } from './sizing.js'

/** Callers who ask, read, and ask again. */
export interface Traffic {
  /** So far, in the order in which they came. */
  readonly answers: readonly Answer[]
  /** Lets the last answers come. @throws what asking threw */
  stop(): Promise<void>
}

/** Begins with it. Callers come one after another, and stay out of step: so the engine is busy evenly. */
export function startTraffic(
  { lightThousands, lightMs, pauseMs }: Sizing,
  random: () => number,
  options: AskOptions,
): Traffic {
  const { clock, signal } = options
  const answers: Answer[] = []
  let stopped = false
  const caller = async (_: unknown, index: number): Promise<void> => {
    await pause(clock, ((index + random() / 2) / CALLERS) * (lightMs + pauseMs), signal)
    while (!stopped) {
      answers.push(await ask('callers', 'light', lightThousands, options))
      if (!stopped) await pause(clock, (0.85 + 0.3 * random()) * pauseMs, signal)
    }
  }
  const all = Promise.all(Array.from({ length: CALLERS }, caller))
  all.catch(() => undefined) // told by stop()
  return {
    answers,
    async stop() {
      stopped = true
      await all
    },
  }
}
