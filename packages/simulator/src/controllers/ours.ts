import type { Controller } from './controller.js'
import { SemaphoreLimiter } from './semaphore-limiter.js'

/** Whatever there is to send is sent. */
export const none: Controller = {
  name: 'none',
  source: 'no limit at all: what most clients do',
  create: (setting) => new SemaphoreLimiter({ ...setting, maxConcurrent: 1_000_000 }, { latencyControl: false }),
}

/** A bulkhead: as many as are allowed, always. */
export const fixed = (limit?: number): Controller => ({
  name: limit === undefined ? 'fixed' : `fixed ${limit}`,
  source: 'a plain semaphore, as p-limit and async-sema are',
  create: (setting) =>
    new SemaphoreLimiter({ ...setting, maxConcurrent: limit ?? setting.maxConcurrent }, { latencyControl: false }),
})

/** Rules L1 to L17 with the defaults that they were first published with. */
export const seed: Controller = {
  name: 'seed',
  source: 'spec/README.md, rules L1 to L17',
  create: (setting) => new SemaphoreLimiter(setting),
}
