import type { MachineSubject, ReplayClock } from '../src/index.js'

/** What it can do wrong. */
export type MachineBreaks = 'counts-twice' | 'leaves-a-timer' | 'forgets'

/** A machine that counts what it is told, and when it was last observed. */
export function smallMachine(
  config: Record<string, unknown>,
  clock: ReplayClock,
  saved: unknown,
  breaks?: MachineBreaks,
): MachineSubject | { config_error: string } {
  const step = config.step
  if (typeof step !== 'number') return { config_error: 'step' }
  let count = breaks === 'forgets' ? 0 : Number(saved ?? 0)
  const observed: unknown[] = []
  return {
    act(action, of) {
      const { by = 1, amount = 0, saturated } = Object(of)
      if (action === 'observe') observed.push([clock.now(), saturated])
      else if (action === 'drain') count += amount
      else if (action === 'add') count += step * by * (breaks === 'counts-twice' ? 2 : 1)
      else throw new TypeError(`no step ${action}`)
      if (breaks === 'leaves-a-timer') clock.timer(1000, () => undefined)
      return action === 'add' ? { added: by } : {}
    },
    read: (of) => ({ count, observed: [...observed], wall: clock.wallNow(), key: Object(of).key ?? null }),
    save: () => count,
  }
}
