import { execute, retryPolicy } from '@sluice/core'
import { ConstantBackoff, handleAll, retry } from 'cockatiel'
import CircuitBreaker from 'opossum'
import pRetry from 'p-retry'
import type { CallSuite } from '../suite.js'

const work = async (): Promise<number> => 42

const cockatiel = retry(handleAll, { maxAttempts: 3, backoff: new ConstantBackoff(1) })
const breaker = new CircuitBreaker(work, { timeout: false })
const policy = retryPolicy()

/** The happy path, where every call of an application passes. */
export const executeSuite: CallSuite = {
  kind: 'calls',
  name: 'execute',
  what: 'an operation that succeeds at once',
  candidates: [
    { name: 'bare await', call: work },
    { name: 'sluice execute()', call: () => execute(work, { policy }) },
    { name: 'sluice execute(), attempt timeout', call: () => execute(work) },
    { name: 'cockatiel retry', call: () => cockatiel.execute(work) },
    { name: 'p-retry', call: () => pRetry(work, { retries: 3 }) },
    { name: 'opossum', call: () => breaker.fire() },
  ],
}
