import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again and again until the answer is yes. @throws Error once it takes too long */
export async function until(what: string, yes: () => boolean | Promise<boolean>, mostMs = 60_000): Promise<void> {
  const endMs = performance.now() + mostMs
  while (!(await yes())) {
    if (performance.now() > endMs) throw new Error(`Waited ${mostMs / 1000} s in vain until ${what}.`)
    await sleep(25)
  }
}

/** Asks until the answer is yes, or for so long. @returns how long that took in ms; null: it never was */
export async function timeUntil(yes: () => boolean | Promise<boolean>, mostMs: number): Promise<number | null> {
  const sinceMs = performance.now()
  while (!(await yes())) {
    if (performance.now() - sinceMs > mostMs) return null
    await sleep(25)
  }
  return performance.now() - sinceMs
}
