import type { MakeClock, ReplayClock } from '../clock.js'
import type { Answer } from '../script/answer.js'
import { type Send, scriptedFetch } from '../script/scripted-fetch.js'
import type { Call, Ended, Subject } from '../subject.js'

/** One call to be played against a script. */
export interface Play {
  policy: Record<string, unknown>
  request: Call['request']
  answers: readonly Answer[]
  /** The draws in turn, the last repeating. */
  draws: readonly number[]
  abortAtMs: number | undefined
  /** Epoch milliseconds at which the call starts. */
  now: number
  /** Sends after these are never answered. */
  maxSends: number
}

/** What happened, measured by the runner itself but for `ended`, which is what the subject said. Milliseconds. */
export interface Played {
  /** Null where the call threw or never settled; `problem` says which. */
  ended: Ended | null
  problem: string | null
  sends: readonly Send[]
  /** From the end of one answer to the next send: the completed waits. */
  waits: readonly number[]
  endedAtMs: number
  bodyReleased: number
  /** Sends that were neither answered nor aborted when the call ended. */
  inFlight: number
  /** Timers that the call left behind; 0 where the clock cannot tell. */
  timersLeft: number
}

export const REPLAY_URL = 'https://service.test/items'

/** Plays one call on a fresh clock. */
export async function play(subject: Subject, call: Play, makeClock: MakeClock): Promise<Played> {
  const clock = makeClock(call.now)
  const script = scriptedFetch({ answers: call.answers, clock, maxSends: call.maxSends })
  const controller = new AbortController()
  // R11: set before the call begins, so that the abort comes before anything else of the same millisecond.
  const cancelAbort =
    call.abortAtMs === undefined
      ? () => undefined
      : clock.timer(call.abortAtMs, () => controller.abort(new Error('aborted by the caller')))

  let ended: Ended | null = null
  let problem: string | null = null
  let endedAtMs = Number.NaN
  const settled = begin(subject, call, script.fetch, clock, controller.signal).finally(() => {
    endedAtMs = clock.now()
  })
  try {
    ended = await clock.run(settled)
  } catch (error) {
    problem = Number.isNaN(endedAtMs) ? `never settled: ${describeError(error)}` : `threw ${describeError(error)}`
    settled.catch(() => undefined)
  }
  cancelAbort()

  return {
    ended,
    problem,
    sends: script.sends,
    waits: completedWaits(script.sends),
    endedAtMs,
    bodyReleased: script.bodyReleased(subject.consumesAnswer && surfaces(ended) ? script.sends.at(-1) : undefined),
    inFlight: script.sends.filter((send) => send.endedAtMs === null).length,
    timersLeft: clock.pending?.() ?? 0,
  }
}

/** Async, so that a subject that throws at once is told like one that rejects. */
async function begin(
  subject: Subject,
  call: Play,
  fetch: Call['fetch'],
  clock: ReplayClock,
  signal: AbortSignal,
): Promise<Ended> {
  return subject.call({
    policy: { ...call.policy },
    request: { ...call.request, headers: { ...call.request.headers } },
    fetch,
    clock,
    random: drawing(call.draws),
    signal,
  })
}

/** Whether a call ended with an answer, good or bad, that its caller gets. */
function surfaces(ended: Ended | null): boolean {
  return ended !== null && 'outcome' in ended && ended.outcome !== 'aborted' && ended.failure === null
}

function drawing(draws: readonly number[]): () => number {
  let taken = 0
  return () => draws[Math.min(taken++, draws.length - 1)] ?? 0
}

function completedWaits(sends: readonly Send[]): number[] {
  return sends.slice(1).map((send, i) => send.atMs - (sends[i]?.endedAtMs ?? Number.NaN))
}

/** `RangeError: no such thing`. */
export function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
