import type { Clock } from '@sluice/core'
import type { BoardNotice, NoticeBoard } from './notice-board.js'

/** A connection on which nothing is said for longer gets a comment. */
const SILENCE_MS = 15_000
const COMMENT = ': still here\n\n'

/** Follows a board as server-sent events. Who reads slowly misses nothing that the board keeps, and holds no memory. */
export class NoticeFeed {
  readonly #board: NoticeBoard
  readonly #clock: Clock
  readonly #ends = new Set<() => void>()
  #isClosed = false

  constructor(board: NoticeBoard, clock: Clock) {
    this.#board = board
    this.#clock = clock
  }

  /**
   * @param tenant whose they are
   * @param after the number of the last one that was seen
   * @param frameOf a notice as it is sent; undefined: it is none of this reader's
   * @param onLeave called once, when it has ended
   */
  follow(
    tenant: string,
    after: number,
    frameOf: (notice: BoardNotice) => string | undefined,
    onLeave: () => void,
  ): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder()
    let last = after
    let hasEnded = this.#isClosed
    let isBegun = false
    let wake = (): void => {}
    const stopListening = this.#board.subscribe(() => wake())
    const end = (): void => {
      if (!this.#ends.delete(end) && hasEnded) return
      hasEnded = true
      stopListening()
      wake()
      onLeave()
    }
    this.#ends.add(end)
    if (this.#isClosed) end()
    const next = (): string => {
      const notices = this.#board.after(last, tenant)
      last = notices.at(-1)?.number ?? last
      return notices.map((it) => frameOf(it) ?? '').join('')
    }
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      let frames = next()
      // So that whoever follows knows at once that it does.
      if (frames === '' && !isBegun) frames = COMMENT
      isBegun = true
      while (frames === '' && !hasEnded) {
        const isSilent = await this.#woken((woken) => {
          wake = woken
        })
        frames = next()
        if (frames === '' && isSilent) frames = COMMENT
      }
      if (frames !== '') controller.enqueue(encoder.encode(frames))
      if (hasEnded) controller.close()
    }
    return new ReadableStream({ pull, cancel: end }, { highWaterMark: 0 })
  }

  /** Ends every stream, and whoever comes later gets an empty one. */
  close(): void {
    this.#isClosed = true
    for (const end of this.#ends) end()
  }

  /** @returns true: nothing woke it for so long that something should be said */
  #woken(wakeBy: (wake: () => void) => void): Promise<boolean> {
    return new Promise((resolve) => {
      const stop = this.#clock.timer(SILENCE_MS, () => resolve(true))
      wakeBy(() => {
        stop()
        resolve(false)
      })
    })
  }
}
