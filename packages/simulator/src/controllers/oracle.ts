import type { Controller, ControllerSetting } from './controller.js'
import { LentSlots } from './lent-slots.js'

/** Looks again after so long. */
const EVERY_MS = 100

/**
 * Knows how many cores are free, and lets just so many calls be in flight: none is slowed down by another, and no core is
 * idle while somebody waits. No client can do better for all, so the others are measured against it.
 */
export const oracle: Controller = {
  name: 'oracle',
  source: 'no client can have it: it reads the server',
  create: (setting) => new Oracle(setting),
}

class Oracle extends LentSlots {
  constructor(setting: ControllerSetting) {
    const { maxConcurrent, world, truth } = setting
    super(setting, { first: maxConcurrent, most: maxConcurrent })
    const look = (): void => {
      this.setLimit(Math.max(1, Math.min(maxConcurrent, Math.floor(truth.cores() - truth.batchJobs()))))
      world.timer(EVERY_MS, look)
    }
    look()
  }

  protected override reported(): void {}
}
