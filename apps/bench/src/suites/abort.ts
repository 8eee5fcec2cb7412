import type { Batch, GrowthSuite } from '../suite.js'
import { bulkheads, type Run } from './bulkheads.js'

const ABORTED = 500
const REASON = new Error('no longer wanted') // making one for each would cost more than all else

const work = async (): Promise<void> => {}

/** Queues so many behind a task that does not end, and aborts some all over the queue. */
const aborts = (name: string, run: Run, waiters: number): Batch => {
  /** Lets those through whom the round before left waiting. */
  let clear = async (): Promise<unknown> => undefined
  return {
    name,
    units: ABORTED,
    prepare: async () => {
      await clear()
      let open = (): void => {}
      const all = [run(() => new Promise<void>((resolve) => (open = resolve)))]
      clear = () => {
        open()
        return run(work) // first come, first served: it ends when all before it have
      }
      const controllers = Array.from({ length: waiters }, () => new AbortController())
      for (const { signal } of controllers) all.push(run(work, signal))
      const each = Math.floor(waiters / ABORTED)
      const isLeaving = (_: unknown, i: number): boolean => i % each === 0
      const leaving = Promise.allSettled(all.slice(1).filter(isLeaving))
      const wanted = controllers.filter(isLeaving)
      await new Promise(setImmediate)
      return () => {
        for (const controller of wanted) controller.abort(REASON)
        return leaving
      }
    },
  }
}

/** No queue: what an abort costs that somebody listens to. */
const listener: Run = (task, signal) =>
  signal ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))) : task()

/** Only those that let a task leave the queue at once. */
export const abortSuite: GrowthSuite = {
  kind: 'growth',
  name: 'abort',
  what: '500 tasks among many that wait are aborted, evenly spread over the queue',
  unit: 'an abort',
  rounds: 6,
  sizes: [1000, 100_000],
  candidates: (size) => [
    aborts('no queue', listener, size),
    ...bulkheads.filter(({ aborts }) => aborts).map(({ name, make }) => aborts(name, make(1), size)),
  ],
}
