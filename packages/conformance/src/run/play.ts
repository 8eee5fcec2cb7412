import type { MakeClock, ReplayClock } from '../clock.js'
import type { Answer } from '../script/answer.js'
import { type Send, scriptedFetch } from '../script/scripted-fetch.js'
import type { SharedEnded } from '../shared-subject.js'
import type { Call, Ended, Subject } from '../subject.js'

/** One call to be played against a script. */
export interface Play {
  policy: Record<string, unknown>
  request: Call['request']
  answers: readonly Answer[]
  /** The draws in turn, the last repeating. */
  draws: readonly number[]
  /** On the clock. */
  abortAtMs: number | undefined
  /** Epoch milliseconds at which the clock starts. */
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

/** A call on a clock that it may share with others. */
export interface Staged {
  /** Makes the call; fulfils when it is over, in whatever way. */
  begin(make: (call: Call) => Promise<SharedEnded>): Promise<void>
  /** What happened so far. @param stuck why it does not go on, where it has not ended */
  played(stuck: string | null): Played
  /** Cancels what may be left of it. */
  strike(): void
}

export const REPLAY_URL = 'https://service.test/items'

/** Plays one call on a fresh clock. */
export async function play(subject: Subject, call: Play, makeClock: MakeClock): Promise<Played> {
  const clock = makeClock(call.now)
  const staged = stage(call, clock, subject.consumesAnswer)
  let stuck: string | null = null
  try {
    await clock.run(staged.begin((made) => subject.call(made)))
  } catch (error) {
    stuck = describeError(error)
  }
  staged.strike()
  return staged.played(stuck)
}

/** Prepares one call: its script, its draws, and its caller's abort. */
export function stage(call: Play, clock: ReplayClock, consumesAnswer = false): Staged {
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
  return {
    async begin(make) {
      try {
        const { read, ...told } = await make({
          policy: { ...call.policy },
          request: { ...call.request, headers: { ...call.request.headers } },
          fetch: script.fetch,
          clock,
          random: drawing(call.draws),
          signal: controller.signal,
        })
        endedAtMs = clock.now()
        ended = told
        await read?.()
      } catch (error) {
        problem = `threw ${describeError(error)}`
      }
    },
    played: (stuck) => ({
      ended,
      problem: problem ?? (ended === null && stuck !== null ? `never settled: ${stuck}` : null),
      sends: script.sends,
      waits: completedWaits(script.sends),
      endedAtMs,
      bodyReleased: script.bodyReleased(consumesAnswer && surfaces(ended) ? script.sends.at(-1) : undefined),
      inFlight: script.sends.filter((send) => send.endedAtMs === null).length,
      timersLeft: clock.pending?.() ?? 0,
    }),
    strike: cancelAbort,
  }
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
