import type { Clock } from '../clock/clock.js'
import type { AdaptiveSemaphore } from '../limit/adaptive-semaphore.js'
import type { RetryBudget } from '../retry/retry-budget.js'
import type { SharedEnd, SubjectCall, SubjectShared, SubjectSharing } from './cases.js'
import { type LimitFace, readingOf, semaphoreOfTable } from './limit-subject.js'
import { type CallFace, playCall, type Sharing } from './play-call.js'
import type { TablePolicy } from './policy-from-table.js'

/** The part of the public face that calls share. */
export interface ShareFace extends LimitFace {
  RetryBudget: typeof RetryBudget
}

/**
 * Makes what the calls of a table share, through the public face.
 * @param play makes one call with it
 */
export function shareOfTable(
  { limiter: config, retry_budget }: SubjectShared,
  clock: Clock,
  face: ShareFace,
  play: (call: SubjectCall, sharing: Sharing) => Promise<SharedEnd>,
): SubjectSharing | { config_error: string } {
  const limiter: AdaptiveSemaphore | { config_error: string } = semaphoreOfTable(config, clock, face)
  if ('config_error' in limiter) return limiter
  const createdAtMs = clock.now()
  const sharing = { limiter, retryBudget: retry_budget ? new face.RetryBudget() : undefined }
  return { call: (call) => play(call, sharing), read: () => readingOf(limiter, createdAtMs) }
}

/** The part of the public face that calls and is shared. */
export type SharingFace = ShareFace & CallFace

/** A limiter as a row of surface-cases configures it, and the calls of others that go through it. */
export function limiterAmongOthers(
  { config, others }: { config: TablePolicy; others: readonly { call: SubjectCall; begins: Promise<void> }[] },
  clock: Clock,
  face: SharingFace,
): AdaptiveSemaphore {
  const limiter = semaphoreOfTable(config, clock, face)
  if ('config_error' in limiter) throw new Error(`the row's config is refused: ${limiter.config_error}`)
  for (const { call, begins } of others)
    void begins.then(async () => {
      const end = await playCall(call, face, { limiter, retryBudget: undefined })
      if ('read' in end) await end.read?.()
    })
  return limiter
}
