import type { Batch, BatchSuite } from '../suite.js'
import { bulkheads, type Run } from './bulkheads.js'

const WAITERS = 100_000

const work = async (): Promise<void> => {}

/** Who waits is queued beforehand: timed is the slot's way through all of them. */
const handOff = (name: string, run: Run): Batch => ({
  name,
  units: WAITERS,
  prepare: async () => {
    let open = (): void => {}
    const first = run(
      () =>
        new Promise<void>((resolve) => {
          open = resolve
        }),
    )
    const waiters = Array.from({ length: WAITERS }, () => run(work))
    await new Promise(setImmediate) // what enqueues in microtasks has done so
    return () => {
      open()
      return Promise.all([first, ...waiters])
    }
  },
})

/** The least that a hand-off can be: each promise resolves the next. */
const chain: Batch = {
  name: 'a chain of promises',
  units: WAITERS,
  prepare: () => {
    let next = (): void => {}
    const waiters = Array.from({ length: WAITERS }, () => {
      const after = next
      const waiter = new Promise<void>((resolve) => {
        next = resolve
      })
      return waiter.then(after)
    })
    return () => {
      next()
      return Promise.all(waiters)
    }
  },
}

/** Cockatiel takes seconds where the others take milliseconds, since its queue is an array that it shifts: it is told in words. */
export const handOffSuite: BatchSuite = {
  kind: 'batches',
  name: 'hand-off',
  what: 'one slot goes through 100 000 tasks that wait for it',
  unit: 'a hand-off',
  rounds: 10,
  candidates: [
    chain,
    ...bulkheads.filter(({ name }) => !name.startsWith('cockatiel')).map(({ name, make }) => handOff(name, make(1))),
  ],
}
