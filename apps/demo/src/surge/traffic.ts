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

/** Begins with it; callers come one after another, and never in step. */
export function startTraffic({ lightThousands, pauseMs }: Sizing, random: () => number, options: AskOptions): Traffic {
  const { clock, signal } = options
  const answers: Answer[] = []
  let stopped = false
  const caller = async (): Promise<void> => {
    await pause(clock, random() * pauseMs, signal)
    while (!stopped) {
      answers.push(await ask('callers', 'light', lightThousands, options))
      if (!stopped) await pause(clock, (0.5 + random()) * pauseMs, signal)
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
