import type { Batch, GrowthSuite } from '../suite.js'
import { bulkheads, type Run } from './bulkheads.js'

const ABORTED = 500
const REASON = new Error('no longer wanted') // making one for each would cost more than all else

const work = async (): Promise<void> => {}

/** Queues so many behind a task that does not end, and aborts some all over the queue. */
const aborts = (name: string, make: () => Run, waiters: number): Batch => ({
  name,
  units: ABORTED,
  prepare: async () => {
    const run = make()
    void run(() => new Promise(() => {}))
    const each = Math.floor(waiters / ABORTED)
    const controllers: AbortController[] = []
    const left: Promise<unknown>[] = []
    for (let i = 0; i < waiters; i++) {
      const controller = new AbortController()
      const waiter = run(work, controller.signal)
      if (i % each !== 0) continue
      controllers.push(controller)
      left.push(waiter.catch((error: unknown) => error))
    }
    await new Promise(setImmediate)
    return () => {
      for (const controller of controllers) controller.abort(REASON)
      return Promise.all(left)
    }
  },
})

/** No queue: what an abort costs that somebody listens to. */
const listener = (): Run => (_, signal) =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

/** Only those that let a task leave the queue at once. */
export const abortSuite: GrowthSuite = {
  kind: 'growth',
  name: 'abort',
  what: '500 tasks among many that wait are aborted, evenly spread over the queue',
  unit: 'an abort',
  rounds: 5,
  sizes: [1000, 100_000],
  candidates: (size) => [
    aborts('no queue', listener, size),
    ...bulkheads.filter(({ aborts }) => aborts).map(({ name, make }) => aborts(name, () => make(1), size)),
  ],
}
