import type { WaitingCall } from '../waiting-calls.js'

/**
 * What a person is told while calls are being retried (S3): one sentence for all of them, the same however often they
 * are retried, so that it need not be announced again.
 *
 * @param calls `fetch.waiting.getSnapshot()`
 * @returns null where none is
 */
export function waitingMessage(calls: readonly WaitingCall[]): string | null {
  if (calls.length === 0) return null
  if (calls.some((call) => call.class === 'throttle')) return 'Some requests are being retried after throttling…'
  if (calls.some((call) => call.offline)) return 'You are offline. Some requests wait for the connection…'
  return 'Some requests failed and are being retried…'
}
