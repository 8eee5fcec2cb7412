import { AdaptiveSemaphore, type AdaptiveSemaphoreOptions } from '@sluice/core'
import type { Controller, ControllerSetting } from './controller.js'

/** The shipped semaphore in a world. */
function semaphore(
  { prior, world, truth: _, ...setting }: ControllerSetting,
  options: AdaptiveSemaphoreOptions = {},
): AdaptiveSemaphore {
  return new AdaptiveSemaphore({ clock: world, ...setting, ...(prior && { prior }), ...options })
}

/** Whatever there is to send is sent. */
export const none: Controller = {
  name: 'none',
  source: 'no limit at all: what most clients do',
  create: (setting) => semaphore({ ...setting, maxConcurrent: 1_000_000 }, { latencyControl: false }),
}

/** A bulkhead: as many as are allowed, always. */
export const fixed = (limit?: number): Controller => ({
  name: limit === undefined ? 'fixed' : `fixed ${limit}`,
  source: 'a plain semaphore, as p-limit and async-sema are',
  create: (setting) =>
    semaphore({ ...setting, maxConcurrent: limit ?? setting.maxConcurrent }, { latencyControl: false }),
})

/** Rules L1 to L17 with the defaults that they were first published with. */
export const seed: Controller = {
  name: 'seed',
  source: 'spec/README.md, rules L1 to L17',
  create: (setting) => semaphore(setting, { controller: 'windowed' }),
}

/** Rules L1 to L21, as they are shipped. */
export const knee: Controller = {
  name: 'knee',
  source: 'spec/README.md, rules L18 to L21',
  create: (setting) => semaphore(setting, { controller: 'knee' }),
}
