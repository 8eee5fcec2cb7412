import { setTimeout as sleep } from 'node:timers/promises'
import { killStatement } from './bind.js'
import type { ControlSession } from './control-session.js'
import type { EngineSession, SessionPool } from './session-pool.js'

/** A kill that came before the engine had registered the query finds nothing: it is repeated until the query ends. */
const KILL_AGAIN_MS = 100

/** What the engine was asked for and has not ended: each can really be stopped, by its id. */
export class Jobs {
  readonly #control: ControlSession
  readonly #running = new Map<string, AbortController>()

  constructor(control: ControlSession) {
    this.#control = control
  }

  /**
   * Runs work on a session of the pool. What the work runs has the job's id as its `log_comment`.
   * @param id letters and digits, unlike that of any other job
   */
  async run<T>(id: string, pool: SessionPool, work: (session: EngineSession, job: Job) => Promise<T>): Promise<T> {
    const ending = new AbortController()
    this.#running.set(id, ending)
    const killable = <R>(act: () => Promise<R>) => this.#killable(id, ending.signal, act)
    try {
      return await pool.run((session) => work(session, { killable }), ending.signal)
    } finally {
      this.#running.delete(id)
    }
  }

  /** Takes a waiting job out of the line, kills a running one. An unknown id has already ended. */
  cancel(id: string): void {
    this.#running.get(id)?.abort(new Error('The query was cancelled.'))
  }

  /** Cancels everything and resolves when nothing runs any more. */
  async drain(): Promise<void> {
    for (const id of this.#running.keys()) this.cancel(id)
    while (this.#running.size > 0) await sleep(5)
  }

  async #killable<R>(id: string, signal: AbortSignal, act: () => Promise<R>): Promise<R> {
    signal.throwIfAborted()
    const ended = new AbortController()
    const kill = () => void this.#killUntil(id, ended.signal)
    signal.addEventListener('abort', kill, { once: true })
    try {
      return await act()
    } finally {
      ended.abort()
      signal.removeEventListener('abort', kill)
    }
  }

  async #killUntil(id: string, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await this.#control.run(killStatement(id)).catch(() => undefined) // tried again below
      await sleep(KILL_AGAIN_MS, undefined, { signal: ended }).catch(() => undefined) // it has ended
    }
  }
}

/** What work is given besides its session. */
export interface Job {
  /** Runs what can be killed from now on. Throws the reason where the job was cancelled before. */
  killable<R>(act: () => Promise<R>): Promise<R>
}
