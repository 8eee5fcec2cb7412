import { Limiters } from '@sluice/core'
import { Sema } from 'async-sema'
import { bulkhead } from 'cockatiel'
import pLimit from 'p-limit'
import PQueue from 'p-queue'
import type { Batch, MemorySuite } from '../suite.js'

const KEYS = 100_000

/** The keys are the caller's: made beforehand. */
const perKey = (name: string, fill: (keys: readonly string[]) => unknown): Batch => ({
  name,
  units: KEYS,
  prepare: () => {
    const keys = Array.from({ length: KEYS }, (_, i) => `https://tenant-${i}.service.test`)
    return () => fill(keys)
  },
})

const made = (keys: readonly string[]): Limiters => {
  const limiters = new Limiters()
  for (const key of keys) limiters.for(key)
  return limiters
}

const used = async (keys: readonly string[]): Promise<Limiters> => {
  const limiters = made(keys)
  for (const key of keys) await limiters.for(key).run(async () => 42)
  return limiters
}

const mapped = (make: () => unknown) => (keys: readonly string[]) => new Map(keys.map((key) => [key, make()]))

/** A limit for each of many servers. The peers keep no keys: a Map of them stands in. */
export const memorySuite: MemorySuite = {
  kind: 'memory',
  name: 'memory',
  what: 'what stays in memory for each of 100 000 keys',
  candidates: [
    perKey('sluice Limiters', made),
    perKey('sluice Limiters, after one call', used),
    perKey(
      'async-sema',
      mapped(() => new Sema(35)),
    ),
    perKey(
      'p-limit',
      mapped(() => pLimit(35)),
    ),
    perKey(
      'p-queue',
      mapped(() => new PQueue({ concurrency: 35 })),
    ),
    perKey(
      'cockatiel bulkhead',
      mapped(() => bulkhead(35, 500)),
    ),
  ],
}
