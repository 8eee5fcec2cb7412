import type { ReplayClock } from '../clock.js'
import type { Answer } from './answer.js'
import { failureError } from './failure.js'
import { type ScriptedBody, scriptedBody } from './scripted-body.js'

/** One send as it reached the scripted fetch. Times are the clock's monotonic milliseconds. */
export interface Send {
  atMs: number
  method: string
  url: string
  /** In lower case. */
  headers: Record<string, string>
  /** The body's text, `''` without one; null as long as it has not been read. */
  body: string | null
  /** When the answer came, the failure came, or the send was aborted; null: still in flight. */
  endedAtMs: number | null
}

export interface ScriptOptions {
  /** What the sends meet, in turn; the last one repeats. At least one. */
  answers: readonly Answer[]
  clock: Pick<ReplayClock, 'now' | 'timer'>
  /** Sends after these are never answered, so that an endless retry loop comes to an end. Default 10 000. */
  maxSends?: number
}

export interface ScriptedFetch {
  fetch: typeof fetch
  sends: readonly Send[]
  /**
   * How many answers had their body let go so far: read to the end, cancelled, or errored by an abort (R12).
   * @param but a send whose answer does not count
   */
  bodyReleased(but?: Send): number
}

const NULL_BODY_STATUS = new Set([204, 205, 304])

/**
 * A `typeof fetch` that answers from a script, on a virtual clock. It takes what a real one takes (a bad URL, a
 * forbidden method or a used body rejects with fetch's own TypeError and is no send) and obeys the signal it is given.
 *
 * @throws TypeError without answers.
 */
export function scriptedFetch({ answers, clock, maxSends = 10_000 }: ScriptOptions): ScriptedFetch {
  const last = answers.at(-1)
  if (last === undefined) throw new TypeError('answers is empty; give what the first send meets')
  const sends: Send[] = []
  const bodies = new Map<Send, ScriptedBody>()

  const respond = (answer: Extract<Answer, { status: number }>, send: Send, signal: AbortSignal | null): Response => {
    const init = { status: answer.status, headers: { ...answer.headers } }
    if (send.method === 'HEAD' || NULL_BODY_STATUS.has(answer.status)) return new Response(null, init)
    const late = answer.body_ms ? { clock, ms: answer.body_ms } : undefined
    const body = scriptedBody(answer.body ?? `scripted answer ${answer.status}\n`, signal, late)
    bodies.set(send, body)
    return new Response(body.stream, init)
  }

  const scripted = (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new Request(input, init)
      const signal = signalOf(input, init)
      if (signal?.aborted) return reject(signal.reason)

      const answer = answers[sends.length] ?? last
      const send = recordSend(request, clock.now())
      sends.push(send)

      let cancel = (): void => undefined
      const onAbort = (): void => {
        cancel()
        send.endedAtMs = clock.now()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      if (sends.length > maxSends) return
      if ('failure' in answer && answer.failure === 'timeout' && answer.after_ms === undefined) return

      // Also an answer after 0 ms comes from a timer: an abort set for the same millisecond then wins (R11).
      cancel = clock.timer(answer.after_ms ?? 0, () => {
        signal?.removeEventListener('abort', onAbort)
        send.endedAtMs = clock.now()
        try {
          if ('failure' in answer) reject(failureError(answer.failure))
          else resolve(respond(answer, send, signal))
        } catch (error) {
          reject(new Error(`the scripted answer ${JSON.stringify(answer)} cannot be given`, { cause: error }))
        }
      })
    })

  const bodyReleased = (but?: Send): number =>
    [...bodies].filter(([send, body]) => send !== but && body.released()).length
  return { fetch: scripted, sends, bodyReleased }
}

function signalOf(input: string | URL | Request, init: RequestInit | undefined): AbortSignal | null {
  if (init?.signal !== undefined) return init.signal
  return input instanceof Request ? input.signal : null
}

function recordSend(request: Request, atMs: number): Send {
  const { method, url } = request
  const headers = Object.fromEntries(request.headers)
  const send: Send = { atMs, method, url, headers, body: null, endedAtMs: null }
  request.text().then(
    (text) => {
      send.body = text
    },
    () => undefined, // the caller's stream failed: the body stays unread, as the call itself will tell
  )
  return send
}
