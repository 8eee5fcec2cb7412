import type { HostClock } from '../../host-clock.js'
import { Lines, Tail } from '../lines.js'
import type { DriverProcess } from '../session.js'
import { type ChildExit, type DriverChild, spawnDriver } from '../spawn-driver.js'

/** What a driver did next. */
export type Heard = { line: string } | { exit: ChildExit } | { silenceMs: number }

/** A driver process that can be told anything, and is listened to line by line. */
export class Probe {
  readonly #clock: HostClock
  readonly #patienceMs: number
  readonly #child: DriverChild
  readonly #heard: Heard[] = []
  readonly #stderr = new Tail()
  readonly #exited: Promise<void>
  #wake: () => void = () => undefined

  constructor(options: DriverProcess) {
    const { clock, spawn = spawnDriver, timeoutMs = 10_000, signal } = options
    this.#clock = clock
    this.#patienceMs = timeoutMs
    const lines = new Lines()
    let exited: () => void = () => undefined
    this.#exited = new Promise((resolve) => {
      exited = resolve
    })
    const kill = (): void => this.#child.signal('SIGKILL')
    signal?.addEventListener('abort', kill)
    this.#child = spawn(options, {
      output: (text) => this.#hear(...(lines.push(text) ?? []).map((line) => ({ line }))),
      errors: (text) => this.#stderr.push(text),
      exit: (exit) => {
        const rest = lines.rest()
        this.#hear(...(rest === '' ? [] : [{ line: rest }]), { exit })
        signal?.removeEventListener('abort', kill)
        exited()
      },
    })
  }

  /** Writes one line: an object as JSON, a string as it is. */
  say(message: object | string): void {
    this.#child.write(typeof message === 'string' ? message : JSON.stringify(message))
  }

  endInput(): void {
    this.#child.endInput()
  }

  /** What comes next, or that nothing does for this long. */
  async next(patienceMs: number = this.#patienceMs): Promise<Heard> {
    if (this.#heard.length === 0) {
      let cancel: () => void = () => undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        cancel = this.#clock.timer(patienceMs, resolve)
      })
      cancel()
    }
    return this.#heard.shift() ?? { silenceMs: patienceMs }
  }

  /** The end of what it wrote to stderr. */
  stderr(): string {
    return this.#stderr.text()
  }

  /** Kills it, where it still runs. */
  async end(): Promise<void> {
    this.#child.signal('SIGKILL')
    await this.#exited
  }

  #hear(...heard: Heard[]): void {
    if (heard.length === 0) return // half a line
    this.#heard.push(...heard)
    this.#wake()
  }
}

/** What a driver did, in words: `exited with code 1`. */
export function toldOf(heard: Heard): string {
  if ('line' in heard) return `printed ${heard.line.slice(0, 200)}`
  if ('silenceMs' in heard) return `said nothing for ${heard.silenceMs} ms`
  const { code, signal, problem } = heard.exit
  if (problem !== null) return `cannot be started: ${problem}`
  return signal === null ? `exited with code ${code}` : `was ended by ${signal}`
}
