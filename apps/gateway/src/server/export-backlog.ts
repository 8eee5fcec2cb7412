import type { IngestEvent } from '@sluice/ingest'
import type { SlicedWork } from '../slices.js'

/** A piece of the answer. */
const EXPORTED_AT_ONCE = 65_536

/**
 * Rows as lines, read as fast as they are taken.
 * @param onLeave called once, when it has ended, failed, or is not read any more
 */
export function linesOfRows(
  rows: AsyncGenerator<IngestEvent>,
  work: SlicedWork,
  onLeave: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      let text = ''
      while (text.length < EXPORTED_AT_ONCE) {
        const { done, value } = await rows.next()
        if (done) break
        text += `${value.row}\n`
        if (work.isDue(value.row.length)) await work.pause()
      }
      if (text !== '') return controller.enqueue(encoder.encode(text))
      onLeave()
      controller.close()
    } catch (error) {
      onLeave()
      throw error
    }
  }
  const cancel = async (): Promise<void> => {
    onLeave()
    await rows.return(undefined)
  }
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 }) // 0: a piece is read when it can be sent
}
