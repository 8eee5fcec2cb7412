import type { Clock } from '@sluice/core'

/** 128 and the signal's number, as shells have it. */
const CODES = { SIGINT: 130, SIGPIPE: 141, SIGTERM: 143 } as const

type EndingSignal = keyof typeof CODES

/** A terminal sends Ctrl-C to every process, and npm passes it on to us again: that is one request, not two. */
const SAME_REQUEST_MS = 1000

/** Somebody asked for the end: Ctrl-C, SIGTERM, or a reader of our output that went away. */
export class Ending {
  readonly #controller = new AbortController()
  readonly #clock: Clock
  #exitCode = 0
  #askedMs = 0

  /** Aborted when asked. */
  readonly signal: AbortSignal = this.#controller.signal

  /** Resolves when asked. */
  readonly asked: Promise<void> = new Promise((resolve) => {
    this.signal.addEventListener('abort', () => resolve(), { once: true })
  })

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What an interrupted run exits with. */
  get exitCode(): number {
    return this.#exitCode
  }

  /** @returns true where this is the second request, from somebody who will not wait for a clean end */
  ask(signal: EndingSignal): boolean {
    if (this.signal.aborted) return this.#clock.now() - this.#askedMs > SAME_REQUEST_MS
    this.#askedMs = this.#clock.now()
    this.#exitCode = CODES[signal]
    this.#controller.abort(new Error(`ended by ${signal}`))
    return false
  }

  /** Listens to a process's signals and outputs; a second request ends it at once. */
  listenTo(process: NodeJS.Process): void {
    const onSignal = (signal: EndingSignal) => {
      if (this.ask(signal)) process.exit(CODES[signal])
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
    for (const output of [process.stdout, process.stderr]) output.on('error', () => this.ask('SIGPIPE'))
  }
}
