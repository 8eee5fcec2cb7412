import type { VirtualClock } from '@sluice/core/testing'

/** Moves a virtual clock until a command has ended, and lets real time pass where it reads files and nothing waits. */
export async function driven<T>(clock: VirtualClock, running: Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await clock.run(running)
    } catch (error) {
      if (!/no timer is left to fire/.test(String(error))) throw error
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
}
