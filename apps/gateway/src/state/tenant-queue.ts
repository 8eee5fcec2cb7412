/** What one tenant changes comes one after another; nobody waits for another tenant. */
export class TenantQueue {
  readonly #last = new Map<string, Promise<void>>()

  /** @returns what the act gives: told to whoever asked, not to the next */
  take<T>(tenant: string, act: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(tenant) ?? Promise.resolve()).then(act)
    const end = (): void => {
      if (this.#last.get(tenant) === last) this.#last.delete(tenant)
    }
    const last: Promise<void> = done.then(end, end)
    this.#last.set(tenant, last)
    return done
  }
}
