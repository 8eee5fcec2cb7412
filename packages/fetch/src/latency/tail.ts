const MOST_BYTES = 4096

/** The last 4 KiB of what streams through, whatever its length. */
export class Tail {
  #bytes: Uint8Array = new Uint8Array(0)

  add(chunk: Uint8Array): void {
    const kept = this.#bytes.subarray(Math.max(0, this.#bytes.length + chunk.length - MOST_BYTES))
    const added = chunk.subarray(Math.max(0, chunk.length - MOST_BYTES))
    const bytes = new Uint8Array(kept.length + added.length)
    bytes.set(kept)
    bytes.set(added, kept.length)
    this.#bytes = bytes
  }

  text(): string {
    return new TextDecoder().decode(this.#bytes)
  }
}
