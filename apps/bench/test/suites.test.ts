import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { batchTimes, bytesKept } from '../src/rounds.js'
import type { Batch } from '../src/suite.js'
import { bulkheads } from '../src/suites/bulkheads.js'
import { suites } from '../src/suites/index.js'

it.each(bulkheads)('$name runs every task, and so many at a time', async ({ make }) => {
  const run = make(3)
  let running = 0
  let most = 0
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      run(async () => {
        most = Math.max(most, ++running)
        await new Promise(setImmediate)
        running--
        return i
      }),
    ),
  )
  expect(results).toEqual(Array.from({ length: 20 }, (_, i) => i))
  expect(most).toBe(3)
})

it.each(bulkheads.filter(({ aborts }) => aborts))('$name lets a task leave its queue at once', async ({ make }) => {
  const run = make(1)
  void run(() => new Promise(() => {}))
  const controller = new AbortController()
  const reason = new Error('enough')
  const waiter = run(async () => 'ran', controller.signal)
  controller.abort(reason)
  await expect(waiter).rejects.toBe(reason)
})

it('has Sluice second where there is a yardstick, and no name twice', () => {
  for (const suite of suites)
    if (suite.kind === 'calls' || suite.kind === 'batches') expect(suite.candidates[1]?.name).toMatch(/^sluice/)
  expect(new Set(suites.map(({ name }) => name)).size).toBe(suites.length)
})

it('times runs only, after one that warms up', async () => {
  const seen: string[] = []
  const batch = (name: string): Batch => ({
    name,
    units: 10,
    prepare: () => {
      seen.push(`prepare ${name}`)
      return () => void seen.push(`run ${name}`)
    },
  })
  const times = await batchTimes([batch('a'), batch('b')], 1)
  expect(seen).toEqual(['a', 'b', 'b', 'a'].flatMap((name) => [`prepare ${name}`, `run ${name}`]))
  expect(Object.keys(times)).toEqual(['a', 'b'])
})

/** The test runner starts Node without --expose-gc. */
const collector = (): (() => void) => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

it('counts what a run keeps alive, in the heap and beside it', async () => {
  const kept = (name: string, of: () => unknown): Batch => ({ name, units: 1, prepare: () => of })
  const bytes = await bytesKept(
    [
      // Far more than the test runner may let go of in the meantime.
      kept('array', () => new Float64Array(10_000_000)),
      kept('objects', () => Array.from({ length: 1_000_000 }, () => ({}))),
    ],
    collector(),
  )
  expect(bytes.array).toBeGreaterThan(79_000_000)
  expect(bytes.objects).toBeGreaterThan(40_000_000)
})
