import { AdaptiveSemaphore } from '@sluice/core'
import { Sema } from 'async-sema'
import { bulkhead } from 'cockatiel'
import pLimit from 'p-limit'
import PQueue from 'p-queue'

/** Runs a task when there is a slot. */
export type Run = (task: () => Promise<unknown>, signal?: AbortSignal) => Promise<unknown>

/** Something that lets so many tasks run at a time. */
export interface Bulkhead {
  name: string
  make: (limit: number) => Run
  /** A task that waits can be aborted, and then leaves at once. */
  aborts: boolean
}

/** More than any suite queues. */
const ROOM = 1_000_000

const sluice: Bulkhead = {
  name: 'sluice run()',
  aborts: true,
  // Every adaptive part is on: each run reports a sample. Nobody's patience ends while the machine is busy.
  make: (maxConcurrent) => {
    const limiter = new AdaptiveSemaphore({ maxConcurrent, maxQueue: ROOM, queueTimeoutMs: 600_000 })
    return (task, signal) => limiter.run(task, signal && { signal })
  },
}

const asyncSema: Bulkhead = {
  name: 'async-sema',
  aborts: false,
  make: (limit) => {
    const sema = new Sema(limit)
    return async (task) => {
      await sema.acquire()
      try {
        return await task()
      } finally {
        sema.release()
      }
    }
  },
}

const limited: Bulkhead = { name: 'p-limit', aborts: false, make: (limit) => pLimit(limit) }

const queued: Bulkhead = {
  name: 'p-queue',
  aborts: true,
  make: (concurrency) => {
    const queue = new PQueue({ concurrency })
    return (task, signal) => queue.add(task, signal && { signal })
  },
}

/** A task aborted in its queue keeps its place there, and hears of it when its turn comes. */
const cockatiel: Bulkhead = {
  name: 'cockatiel bulkhead',
  aborts: false,
  make: (limit) => {
    const policy = bulkhead(limit, ROOM)
    return (task) => policy.execute(task)
  },
}

/** Sluice first. */
export const bulkheads: readonly Bulkhead[] = [sluice, asyncSema, limited, queued, cockatiel]
