import type { AcquireOptions, Queue, Waiter } from '@sluice/core'
import { FairLine } from '../fair-line.js'

/** How a query asks for a slot. */
export interface TenantAcquire extends AcquireOptions {
  /** Whose turn it takes. */
  readonly tenant: string
}

/**
 * Who is next for a slot of a node: tenants in turn, and of each who came first. One that has hundreds of queries waiting
 * has one begun for each of another's.
 */
export class FairQueue implements Queue {
  readonly #line = new FairLine<Waiter>()

  get size(): number {
    return this.#line.size
  }

  get next(): Waiter | undefined {
    return this.#line.first
  }

  /** How many queries of a tenant wait. */
  waitingOf(tenant: string): number {
    return this.#line.sizeOf(tenant)
  }

  add(waiter: Waiter): void {
    this.#line.push(tenantOf(waiter), waiter)
  }

  /** Who leaves unserved, since its client did or it waited too long, takes nobody's turn: only who starts has had it. */
  remove(waiter: Waiter): void {
    const tenant = tenantOf(waiter)
    this.#line.remove(tenant, waiter)
    const { resolve } = waiter
    waiter.resolve = (slot) => {
      this.#line.turnOver(tenant)
      resolve(slot)
    }
  }

  [Symbol.iterator](): Iterator<Waiter> {
    return this.#line[Symbol.iterator]()
  }
}

/** A limiter with this queue is asked by {@link TenantAcquire} alone, hence the cast. */
function tenantOf({ options }: Waiter): string {
  return (options as TenantAcquire).tenant
}
