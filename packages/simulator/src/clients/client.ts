import { type Attempt, execute, type Limiter, type RetryBudget, type RetryPolicy, type Slot } from '@sluice/core'
import type { CallKind, ObservedLimiter } from '../controllers/controller.js'
import type { Answer } from '../servers/answer.js'
import type { Server } from '../servers/server.js'
import type { World } from '../world/world.js'
import { failureOfAnswer } from './failure-of-answer.js'

/** A call that is to be made. */
export interface PlannedCall extends CallKind {
  readonly workMs: number
}

/** What a client is made of. */
export interface ClientOptions {
  readonly server: Server
  readonly limiter: ObservedLimiter
  /** Of the stream of random numbers that its retries are spread by. */
  readonly jitter: string
  /** null: one attempt that waits as long as it takes. */
  readonly policy: RetryPolicy | null
  readonly retryBudget?: RetryBudget | undefined
  readonly onSend: () => void
  /** An attempt was answered, or given up: `throttled` by a 429, `wasted` where the server works on for nobody. */
  readonly onAnswer: (answer: 'ok' | 'throttled' | 'failed' | 'wasted', workMs: number) => void
  /** @returns what {@link onEnd} is to be told of the call by */
  readonly onCall: (tenant: number) => number
  /** `delayed`: it found no free slot when it came. */
  readonly onEnd: (call: number, how: { ok: boolean; delayed: boolean }) => void
}

const NO_OPTIONS = {}

/** Makes calls as an application would, with the shipped `execute()` and one limiter. */
export class Client {
  readonly #world: World
  readonly #options: ClientOptions
  readonly #random: () => number
  /** Calls that wait for a slot by themselves. */
  #waiting = 0

  constructor(world: World, options: ClientOptions) {
    this.#world = world
    this.#options = options
    const jitter = world.stream(options.jitter)
    this.#random = () => jitter.next()
  }

  call(planned: PlannedCall, ended?: () => void): void {
    const { onCall, onEnd } = this.#options
    const at = onCall(planned.tenant)
    const end = (ok: boolean, delayed: boolean): void => {
      onEnd(at, { ok, delayed })
      ended?.()
    }
    if (this.#world.isSuspended) this.#world.awake(() => this.#begin(planned, end))
    else this.#begin(planned, end)
  }

  #begin(planned: PlannedCall, end: (ok: boolean, delayed: boolean) => void): void {
    const { policy, limiter } = this.#options
    const lender = limiter.limiterFor?.(planned) ?? limiter
    if (policy === null) this.#once(planned, lender, end)
    else this.#execute(policy, planned, { limiter: lender, end })
  }

  /** As {@link World.awake}, without a closure for each answer that comes while the process runs, as nearly all do. */
  #deliver(answered: (answer: Answer) => void, answer: Answer): void {
    if (this.#world.isSuspended) this.#deliverLater(answered, answer)
    else answered(answer)
  }

  #deliverLater(answered: (answer: Answer) => void, answer: Answer): void {
    this.#world.awake(() => answered(answer))
  }

  /** What `execute()` does for one attempt without bounds; a test holds the two to each other. Promises cost time. */
  #once(planned: PlannedCall, limiter: Limiter, end: (ok: boolean, delayed: boolean) => void): void {
    const free = limiter.tryAcquire(NO_OPTIONS)
    if (free) {
      this.#sendOnce(planned, free, (ok) => end(ok, false))
      return
    }
    this.#waiting++
    this.#world.promised()
    limiter.acquire(NO_OPTIONS).then(
      (slot) => {
        this.#waiting--
        this.#sendOnce(planned, slot, (ok) => end(ok, true))
      },
      () => {
        this.#waiting--
        end(false, true)
      },
    )
  }

  #sendOnce({ workMs }: PlannedCall, slot: Slot, end: (ok: boolean) => void): void {
    const { onSend, onAnswer, server } = this.#options
    const answered = (answer: Answer): void => {
      const failure = failureOfAnswer(answer)
      onAnswer(wordOf(answer), workMs)
      if (answer.kind === 'status' && !failure) slot.report({ kind: 'success', latencyMs: answer.elapsedMs })
      else if (answer.kind === 'status' && answer.status === 429)
        slot.report({ kind: 'throttle', retryAfterMs: answer.retryAfterMs })
      else slot.report({ kind: 'failure' })
      slot.release(this.#world.now())
      if (this.#waiting > 0) this.#world.promised() // somebody may have got the slot
      end(!failure)
    }
    onSend()
    server.send({ workMs }, (answer) => this.#deliver(answered, answer))
  }

  #execute(
    policy: RetryPolicy,
    { workMs }: PlannedCall,
    { limiter, end }: { limiter: Limiter; end: (ok: boolean, delayed: boolean) => void },
  ): void {
    const { retryBudget, server, onSend, onAnswer } = this.#options
    let delayed = true
    const askedMs = this.#world.now()
    const { attemptTimeoutMs, deadlineMs } = policy
    const boundMs = Math.min(attemptTimeoutMs ?? Number.POSITIVE_INFINITY, deadlineMs ?? Number.POSITIVE_INFINITY)
    const send = (attempt: Attempt): Promise<Answer> =>
      new Promise((resolve) => {
        const sentMs = this.#world.now()
        if (sentMs === askedMs) delayed = false
        onSend()
        const answered = (answer: Answer): void => {
          // A signal is made for who asks for it, and that costs: before any bound is near, nothing can have been given up.
          const mayBeOver = this.#world.now() - (deadlineMs === null ? sentMs : askedMs) > boundMs - 1
          onAnswer(mayBeOver && attempt.signal.aborted ? 'wasted' : wordOf(answer), workMs)
          resolve(answer)
          this.#world.promised()
        }
        server.send({ workMs }, (answer) => this.#deliver(answered, answer))
      })
    this.#world.promised()
    execute(send, {
      policy,
      limiter,
      retryBudget,
      clock: this.#world,
      random: this.#random,
      idempotent: true,
      inspect: failureOfAnswer,
      latencyOf,
    }).then(
      (answer) => end(!failureOfAnswer(answer), delayed),
      () => end(false, delayed),
    )
  }
}

const latencyOf = (answer: Answer): number | null => (answer.kind === 'status' ? answer.elapsedMs : null)

const wordOf = (answer: Answer): 'ok' | 'throttled' | 'failed' => {
  if (answer.kind !== 'status' || (answer.status >= 400 && answer.status !== 429)) return 'failed'
  return answer.status === 429 ? 'throttled' : 'ok'
}
