import type { AcquireOptions, AttemptReport, Slot } from '@sluice/core'
import type { ControllerSetting } from '../controller.js'
import { LentSlots } from '../lent-slots.js'
import { CubicRate } from './cubic-rate.js'

/** A plain limit, behind which sends are paced by the rate that {@link CubicRate} finds. */
export class PacedLimiter extends LentSlots {
  readonly #rate = new CubicRate()

  constructor(setting: ControllerSetting) {
    super(setting, { first: setting.maxConcurrent, most: setting.maxConcurrent })
  }

  override tryAcquire(options: AcquireOptions): Slot | null {
    return this.#rate.enabled ? null : super.tryAcquire(options)
  }

  override async acquire(options: AcquireOptions): Promise<Slot> {
    const slot = await super.acquire(options)
    const waitS = this.#rate.take(this.world.now() / 1000)
    if (waitS === 0) return slot
    await new Promise<void>((resolve) => void this.world.timer(waitS * 1000, resolve))
    if (!options.signal?.aborted) return slot
    slot.release()
    throw options.signal.reason
  }

  protected override reported(report: AttemptReport): void {
    this.#rate.update(report.kind === 'throttle', this.world.now() / 1000)
  }
}
