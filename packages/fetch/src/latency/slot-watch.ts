import type { Attempt, Clock } from '@sluice/core'
import type { BodyWatch } from '../guard-body.js'
import type { LatencyOf } from './latency-of.js'
import { Tail } from './tail.js'

/** What an attempt's answer means to its slot. */
interface Watched {
  /** Follows the body; undefined: the slot ends with the headers. */
  watch: BodyWatch | undefined
  /** What `execute()` is to report of a success: a figure, nothing (null: it is in the body), or the time to headers. */
  latencyMs: number | null | undefined
}

/** Keeps an attempt's slot until the body of its answer is over (L12), and finds the server's own figure in it (L2). */
export function watchSlot(
  response: Response,
  attempt: Attempt,
  {
    clock,
    sentAtMs,
    latencyOf,
    untilHeaders,
  }: { clock: Clock; sentAtMs: number; latencyOf: LatencyOf | undefined; untilHeaders: boolean },
): Watched {
  // Of what is no success the body is often left alone: such an answer ends its slot, read or not.
  if (response.status >= 300) return { watch: undefined, latencyMs: undefined }
  const figure = figureOf(response, latencyOf)
  const empty = !response.body || response.headers.get('content-length') === '0'
  const find = typeof figure === 'function' && !empty ? figure : undefined
  const latencyMs = typeof figure === 'number' ? figure : find && null
  if (empty || (untilHeaders && !find)) return { watch: undefined, latencyMs } // execute() ends the slot
  const slot = attempt.keepSlot()
  if (untilHeaders) slot?.release()
  const headersMs = clock.now() - sentAtMs
  const tail = find && new Tail()
  const watch: BodyWatch = {
    chunk: (bytes) => tail?.add(bytes),
    over(whole) {
      if (find && tail && whole && !slot?.reported)
        slot?.report({ kind: 'success', latencyMs: find(tail.text()) ?? headersMs })
      slot?.release()
    },
  }
  return { watch, latencyMs }
}

/** What a reader throws ends the call, and then nobody will read the answer: its connection is let go of. */
function figureOf(response: Response, latencyOf: LatencyOf | undefined): ReturnType<LatencyOf> | undefined {
  try {
    return latencyOf?.(response)
  } catch (error) {
    response.body?.cancel(error).catch(() => {})
    throw error
  }
}
