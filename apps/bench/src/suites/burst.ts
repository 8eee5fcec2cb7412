import type { Batch, BatchSuite } from '../suite.js'
import { bulkheads, type Run } from './bulkheads.js'

const TASKS = 10_000
const LIMIT = 35

const work = async (): Promise<number> => 42

/** Its limiter lives as long as the process, as an application's does. */
const burst = (name: string, run: Run): Batch => ({
  name,
  units: TASKS,
  prepare: () => () => {
    const tasks: Promise<unknown>[] = []
    for (let i = 0; i < TASKS; i++) tasks.push(run(work))
    return Promise.all(tasks)
  },
})

/** Many more tasks than slots, all at once: nearly all of them queue. */
export const burstSuite: BatchSuite = {
  kind: 'batches',
  name: 'burst',
  what: '10 000 tasks at once that each succeed at once, 35 at a time',
  unit: 'a task',
  rounds: 30,
  candidates: [burst('no limit', (task) => task()), ...bulkheads.map(({ name, make }) => burst(name, make(LIMIT)))],
}
