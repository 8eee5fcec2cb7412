import { bounded } from './bounded.js'
import type { Call, Failed } from './call.js'
import type { Classification } from './failure.js'

/** Longest classification where no attempt timeout says otherwise. */
const LONGEST_MS = 10_000
const TOO_SLOW = Symbol('too slow')

/**
 * Asks the policy's `classify` about a failed attempt (R4), within the attempt timeout and the deadline.
 * @returns what it answered; undefined where it did not, or not in time
 * @throws what it throws; TypeError for a class that is none
 */
export async function classify<T>(failed: Failed<T>, call: Call<T>): Promise<Classification | undefined> {
  const { policy, clock, signal, options } = call
  const { failure } = failed
  if (!policy.classify || failure.kind !== 'status') return
  const peek = async (): Promise<string> => ('value' in failed && options.peek ? options.peek(failed.value) : '')
  const work = async (): Promise<Classification | undefined> => policy.classify?.(failure, peek)
  const ms = Math.min(policy.attemptTimeoutMs ?? LONGEST_MS, call.leftMs)
  try {
    const answer = await bounded(work, { clock, signal, ms, expired: () => TOO_SLOW })
    if (!answer) return
    if (!['throttle', 'transient', 'final'].includes(answer.class))
      throw new TypeError(`classify answered ${answer.class}; it must be throttle, transient or final`)
    const waitMs = Math.min(Math.ceil(answer.waitMs ?? Number.NaN), Number.MAX_SAFE_INTEGER)
    return { class: answer.class, waitMs: waitMs >= 0 ? waitMs : null }
  } catch (error) {
    if (error !== TOO_SLOW) throw error
  }
}
