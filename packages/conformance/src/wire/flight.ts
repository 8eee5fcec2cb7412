import type { DriverAnswer, DriverSession } from '../driver/protocol.js'
import type { HostClock } from '../host-clock.js'
import type { ScriptedCase, ScriptedServer } from './scripted-server.js'
import { type WireRow, wireRun } from './wire-row.js'

/** How a row's call came down: answered, still running long after its end was due, or never really begun. */
export type Landing =
  | { kind: 'answered'; answer: DriverAnswer; played: ScriptedCase }
  | { kind: 'overdue'; why: string; played: ScriptedCase }
  | { kind: 'not-begun' }

/** More sends than are right by this many: it will not stop by itself. */
const ENDLESS = 20

/**
 * The calls that one session of a driver is making. A driver may work on one call at a time, so a call is not late
 * before its first request has come, as long as the session does anything at all. Once one call is overdue nothing
 * more is begun: the session will have to be ended, and whatever it has not begun goes to the next one.
 */
export class Flights {
  readonly #session: DriverSession
  readonly #server: ScriptedServer
  readonly #clock: HostClock
  readonly #graceMs: number
  readonly #notDown = new Set<() => void>()
  /** Calls whose first request has come and that have not come down. */
  #airborne = 0
  #lastSignMs: number
  #overdue = false

  /** @param graceMs how long after its due end a call may still be running. */
  constructor(session: DriverSession, server: ScriptedServer, clock: HostClock, graceMs: number) {
    this.#session = session
    this.#server = server
    this.#clock = clock
    this.#graceMs = graceMs
    this.#lastSignMs = clock.now()
  }

  /** Whether a call was overdue, so that nothing more may be begun in this session. */
  get overdue(): boolean {
    return this.#overdue
  }

  /**
   * Makes the driver call, and sees how it comes down.
   *
   * @param key of the case at the server, used once.
   * @throws DriverError where the driver broke the protocol.
   */
  fly(one: WireRow, key: string): Promise<Landing> {
    const clock = this.#clock
    const limitMs = one.wholeMs + this.#graceMs
    const begunMs = clock.now()
    return new Promise((resolve, reject) => {
      let cancel: () => void = () => undefined
      let firstMs: number | null = null
      const land = (landing: Landing): void => {
        cancel()
        if (!this.#notDown.delete(ground)) return // it has come down already
        if (firstMs !== null) this.#airborne -= 1
        this.#lastSignMs = clock.now()
        resolve(landing)
      }
      const ground = (): void => {
        if (firstMs === null) land({ kind: 'not-begun' })
      }
      const tooLong = (why: string): void => {
        this.#overdue = true
        land({ kind: 'overdue', why, played })
        for (const other of [...this.#notDown]) other()
      }
      const check = (): void => {
        // While another call is under way a driver may not have come to this one.
        const since = firstMs ?? (this.#airborne > 0 ? clock.now() : Math.max(begunMs, this.#lastSignMs))
        const dueMs = since + limitMs - clock.now()
        if (dueMs > 0) cancel = clock.timer(dueMs, check)
        else tooLong(`still running after ${Math.round(limitMs)} ms`)
      }
      const played = this.#server.script(key, one.row.answers ?? [{ status: 200 }], () => {
        this.#lastSignMs = clock.now()
        if (firstMs === null && this.#notDown.has(ground)) {
          firstMs = clock.now()
          this.#airborne += 1
        }
        if (played.arrivals.length > (one.row.expect.sends ?? 1) + ENDLESS) tooLong('sending without end')
      })
      this.#notDown.add(ground)
      check()
      this.#session.run(wireRun(one, played.baseUrl)).then(
        (answer) => land({ kind: 'answered', answer, played }),
        (error) => {
          cancel()
          reject(error)
        },
      )
    })
  }
}
