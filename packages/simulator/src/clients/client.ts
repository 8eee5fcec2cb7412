import { type Attempt, execute, type Limiter, type RetryBudget, type RetryPolicy, type Slot } from '@sluice/core'
import type { Stream } from '../random/stream.js'
import type { Answer } from '../servers/answer.js'
import type { Server } from '../servers/server.js'
import type { World } from '../world/world.js'
import { failureOfAnswer } from './failure-of-answer.js'

/** One call as it ended. */
export interface EndedCall {
  /** When somebody wanted it, in ms: what it waited for a slot is part of what it took. */
  readonly arrivedMs: number
  readonly endedMs: number
  readonly ok: boolean
  /** Whether it found no free slot when it came. */
  readonly delayed: boolean
  readonly tenant: number
}

/** A call that is to be made. */
export interface PlannedCall {
  readonly workMs: number
  readonly tenant: number
}

/** What a client is made of. */
export interface ClientOptions {
  readonly server: Server
  readonly limiter: Limiter
  /** null: one attempt that waits as long as it takes. */
  readonly policy: RetryPolicy | null
  readonly retryBudget?: RetryBudget | undefined
  readonly onSend: (workMs: number) => void
  /** An attempt was answered, or given up: `throttled` by a 429, `wasted` where the server works on for nobody. */
  readonly onAnswer: (answer: 'ok' | 'throttled' | 'failed' | 'wasted', workMs: number) => void
  readonly onEnd: (call: EndedCall) => void
}

/** Makes calls as an application would, with the shipped `execute()` and one limiter. */
export class Client {
  readonly #world: World
  readonly #options: ClientOptions
  readonly #jitter: Stream
  /** Calls that wait for a slot by themselves. */
  #waiting = 0

  constructor(world: World, options: ClientOptions) {
    this.#world = world
    this.#options = options
    this.#jitter = world.stream('retry jitter')
  }

  call(planned: PlannedCall, ended?: () => void): void {
    const arrivedMs = this.#world.now()
    const end = (ok: boolean, delayed: boolean): void => {
      this.#options.onEnd({ arrivedMs, endedMs: this.#world.now(), ok, delayed, tenant: planned.tenant })
      ended?.()
    }
    if (this.#options.policy === null) this.#once(planned, end)
    else this.#execute(this.#options.policy, planned, end)
  }

  /** What `execute()` does for one attempt without bounds; a test holds the two to each other. Promises cost time. */
  #once(planned: PlannedCall, end: (ok: boolean, delayed: boolean) => void): void {
    const { limiter } = this.#options
    const free = limiter.tryAcquire({})
    if (free) {
      this.#sendOnce(planned, free, (ok) => end(ok, false))
      return
    }
    this.#waiting++
    this.#world.promised()
    const waited = limiter.acquire({}).finally(() => this.#waiting--)
    waited.then(
      (slot) => this.#sendOnce(planned, slot, (ok) => end(ok, true)),
      () => end(false, true),
    )
  }

  #sendOnce({ workMs }: PlannedCall, slot: Slot, end: (ok: boolean) => void): void {
    this.#options.onSend(workMs)
    this.#options.server.send({ workMs }, (answer) => {
      const failure = failureOfAnswer(answer)
      this.#options.onAnswer(wordOf(answer), workMs)
      if (answer.kind === 'status' && !failure) slot.report({ kind: 'success', latencyMs: answer.elapsedMs })
      else if (answer.kind === 'status' && answer.status === 429)
        slot.report({ kind: 'throttle', retryAfterMs: answer.retryAfterMs })
      else slot.report({ kind: 'failure' })
      slot.release(this.#world.now())
      if (this.#waiting > 0) this.#world.promised() // somebody may have got the slot
      end(!failure)
    })
  }

  #execute(policy: RetryPolicy, { workMs }: PlannedCall, end: (ok: boolean, delayed: boolean) => void): void {
    const { limiter, retryBudget, server, onSend, onAnswer } = this.#options
    let delayed = true
    const arrivedMs = this.#world.now()
    const attempt = ({ signal }: Attempt): Promise<Answer> =>
      new Promise((resolve) => {
        if (this.#world.now() === arrivedMs) delayed = false
        onSend(workMs)
        server.send({ workMs }, (answer) => {
          onAnswer(signal.aborted ? 'wasted' : wordOf(answer), workMs)
          resolve(answer)
          this.#world.promised()
        })
      })
    this.#world.promised()
    execute(attempt, {
      ...{ policy, limiter, retryBudget, clock: this.#world },
      random: () => this.#jitter.next(),
      idempotent: true,
      inspect: failureOfAnswer,
      latencyOf: (answer) => (answer.kind === 'status' ? answer.elapsedMs : null),
    }).then(
      (answer) => end(!failureOfAnswer(answer), delayed),
      () => end(false, delayed),
    )
  }
}

const wordOf = (answer: Answer): 'ok' | 'throttled' | 'failed' => {
  if (answer.kind !== 'status' || (answer.status >= 400 && answer.status !== 429)) return 'failed'
  return answer.status === 429 ? 'throttled' : 'ok'
}
