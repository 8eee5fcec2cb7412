/** Keys whose batches are being taken, or are taken and not yet written. */
export class KeysInUse {
  readonly #begun = new Set<string>()
  readonly #writing = new Map<string, Promise<void>>()

  /** @returns what ends it, once however often it is called; undefined: a batch with that key is being taken */
  begin(source: string, key: string): (() => void) | undefined {
    const name = JSON.stringify([source, key])
    if (this.#begun.has(name)) return undefined
    this.#begun.add(name)
    let isOver = false
    return () => {
      if (!isOver) this.#begun.delete(name)
      isOver = true
    }
  }

  /** Its rows are on disk; `written` fulfils once they are written. */
  written(source: string, key: string, written: Promise<void>): void {
    const name = JSON.stringify([source, key])
    this.#writing.set(name, written)
    const forget = () => void this.#writing.delete(name)
    written.then(forget, forget)
  }

  /** Undefined: all of it is written, or it is none of this process. */
  writing(source: string, key: string): Promise<void> | undefined {
    return this.#writing.get(JSON.stringify([source, key]))
  }
}
