import type { AcquireOptions, AttemptReport, Slot } from '@sluice/core'
import type { Stream } from '../../random/stream.js'
import type { ControllerSetting } from '../controller.js'
import { LentSlots } from '../lent-slots.js'
import { ClientThrottling } from './client-throttling.js'

/** A plain limit that refuses some calls by itself, as {@link ClientThrottling} says. */
export class RefusingLimiter extends LentSlots {
  readonly #throttling: ClientThrottling
  readonly #dice: Stream

  /** @param factor K; default 2 */
  constructor(setting: ControllerSetting, factor?: number) {
    super(setting, { first: setting.maxConcurrent, most: setting.maxConcurrent })
    this.#throttling = new ClientThrottling(factor)
    this.#dice = setting.world.stream('client throttling')
  }

  override tryAcquire(options: AcquireOptions): Slot | null {
    return this.#refuses() ? null : super.tryAcquire(options)
  }

  override acquire(options: AcquireOptions): Promise<Slot> {
    if (!this.#refused) return super.acquire(options)
    this.#refused = false
    return Promise.reject(new Error('client-side throttling refused the call'))
  }

  /** Whether the call that now asks is refused; `execute()` asks twice, and the second time is no other call. */
  #refused = false

  #refuses(): boolean {
    const now = this.world.now()
    this.#refused = this.#dice.next() < this.#throttling.rejects(now)
    this.#throttling.requested(now)
    return this.#refused
  }

  /** A refusal, an error and a timeout are all "not accepted". */
  protected override reported(report: AttemptReport): void {
    if (report.kind === 'success') this.#throttling.accepted(this.world.now())
  }
}
