const COMMENT = ': still here\n\n'

/** Who follows. One that reads slowly is not given what it missed, only what is there when it reads again. */
export class Follower {
  readonly #silenceMs: number
  readonly #encoder = new TextEncoder()
  /** What it has not been given yet. */
  #next: string | null = null
  #ended = false
  #wake: (() => void) | null = null
  #toldAtMs = 0

  /** @param silenceMs after so long without a word it gets a comment */
  constructor(silenceMs: number) {
    this.#silenceMs = silenceMs
  }

  /** Something changed. */
  tell(frame: string, nowMs: number): void {
    this.#next = frame
    this.#toldAtMs = nowMs
    this.#wake?.()
  }

  /** Nothing did. */
  keep(nowMs: number): void {
    if (nowMs - this.#toldAtMs < this.#silenceMs) return
    this.tell(this.#next ?? COMMENT, nowMs)
  }

  /** There will be nothing more. */
  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  /** @param onLeave called when whoever reads has gone */
  stream(onLeave: () => void): ReadableStream<Uint8Array> {
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      if (this.#next === null && !this.#ended) await this.#woken()
      if (this.#ended) return controller.close()
      if (this.#next !== null) controller.enqueue(this.#encoder.encode(this.#next))
      this.#next = null
    }
    const cancel = (): void => {
      this.end()
      onLeave()
    }
    return new ReadableStream({ pull, cancel }, { highWaterMark: 0 }) // 0: a status is taken when it can be sent
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
