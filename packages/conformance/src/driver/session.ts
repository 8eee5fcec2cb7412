import type { HostClock } from '../host-clock.js'
import { shown } from '../table/problem.js'
import { checkHello } from './check-message.js'
import { DriverError } from './driver-error.js'
import { Lines, Tail } from './lines.js'
import { type DriverAnswer, type DriverHello, type DriverRun, type DriverSession, PROTOCOL } from './protocol.js'
import { type Breach, messageOf, Questions } from './questions.js'
import { type ChildExit, type DriverChild, type DriverCommand, type SpawnDriver, spawnDriver } from './spawn-driver.js'

export interface DriverProcess extends DriverCommand {
  clock: HostClock
  /** How long it may take to answer hello. Default 10 000. */
  helloTimeoutMs?: number
  /** How long it may go without an answer while cases wait for one; Infinity: for ever. Default 10 000. */
  timeoutMs?: number
  /** How long it may take to exit after bye, before it is killed. Default 2 000. */
  graceMs?: number
  /** Ends the driver at once; whatever is being waited for rejects with the signal's reason. */
  signal?: AbortSignal
  /** Default: a child process without a shell, in a process group of its own. */
  spawn?: SpawnDriver
}

/** From SIGTERM to SIGKILL, and from there to giving up on hearing of its end. */
const KILL_AFTER_MS = 500

/**
 * Starts a driver and says hello.
 *
 * @throws DriverError where it cannot be started, or does not introduce itself as the protocol says.
 */
export async function startDriver(options: DriverProcess): Promise<DriverSession> {
  options.signal?.throwIfAborted()
  const conversation = new Conversation(options)
  const hello = await conversation.hello().catch(async (error: unknown) => {
    await conversation.kill()
    throw error
  })
  return {
    hello,
    run: (run) => conversation.run(run),
    close: () => conversation.close(),
    kill: () => conversation.kill(),
  }
}

class Conversation {
  readonly #options: DriverProcess
  readonly #child: DriverChild
  readonly #exited: Promise<ChildExit>
  readonly #lines = new Lines()
  readonly #stderr = new Tail()
  readonly #questions = new Questions()
  #greeted: ((hello: DriverHello) => void) | null = null
  #refused: (error: unknown) => void = () => undefined
  #failure: { error: unknown } | null = null
  readonly #failed: Promise<void>
  #onFailure: () => void = () => undefined
  #leaving = false
  #cancelTimer: () => void = () => undefined
  #forgetSignal: () => void = () => undefined

  constructor(options: DriverProcess) {
    this.#options = options
    const { spawn = spawnDriver, signal } = options
    this.#failed = new Promise((resolve) => {
      this.#onFailure = resolve
    })
    let exited: (exit: ChildExit) => void = () => undefined
    this.#exited = new Promise((resolve) => {
      exited = resolve
    })
    this.#child = spawn(options, {
      output: (text) => this.#hear(text),
      errors: (text) => this.#stderr.push(text),
      exit: (exit) => {
        exited(exit)
        this.#onExit(exit)
      },
    })
    const onAbort = (): void => this.#fail(signal?.reason)
    signal?.addEventListener('abort', onAbort)
    this.#forgetSignal = () => signal?.removeEventListener('abort', onAbort)
  }

  hello(): Promise<DriverHello> {
    const { clock, helloTimeoutMs = 10_000 } = this.#options
    return new Promise((resolve, reject) => {
      this.#refused = reject
      if (this.#failure !== null) throw this.#failure.error
      this.#greeted = resolve
      this.#cancelTimer = clock.timer(helloTimeoutMs, () => {
        this.#broke(`did not answer hello within ${helloTimeoutMs} ms; does it flush stdout after every line?`)
      })
      this.#child.write(JSON.stringify({ cmd: 'hello', protocol: PROTOCOL }))
    })
  }

  run(run: DriverRun): Promise<DriverAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) throw this.#failure.error
      const seq = this.#questions.ask({ run, resolve, reject })
      if (this.#questions.open === 1) this.#watch()
      this.#child.write(JSON.stringify({ cmd: 'run', seq, ...run }))
    })
  }

  async close(): Promise<void> {
    const { clock, graceMs = 2_000 } = this.#options
    if (this.#failure === null) {
      this.#leaving = true
      this.#cancelTimer = clock.timer(graceMs, () => this.#broke(`did not exit within ${graceMs} ms after bye`))
      this.#child.write(JSON.stringify({ cmd: 'bye' }))
      this.#child.endInput()
      await Promise.race([this.#exited, this.#failed])
      this.#cancelTimer()
    }
    const failure = this.#failure
    await this.kill()
    if (failure !== null) throw failure.error
  }

  async kill(): Promise<void> {
    const { clock } = this.#options
    this.#fail(new DriverError('the driver was ended'))
    let cancel: () => void = () => undefined
    const gone = new Promise<void>((resolve) => {
      cancel = clock.timer(KILL_AFTER_MS, () => {
        this.#child.signal('SIGKILL')
        cancel = clock.timer(KILL_AFTER_MS, resolve)
      })
    })
    await Promise.race([this.#exited, gone])
    cancel()
    this.#forgetSignal()
  }

  #hear(text: string): void {
    const lines = this.#lines.push(text)
    for (const line of lines ?? []) {
      if (this.#failure !== null) return
      const breach = this.#read(line)
      if (breach !== null) this.#broke(breach.seen, breach.caseId)
    }
    if (lines === null) this.#broke('printed a line of more than a million characters')
  }

  #read(line: string): Breach | null {
    const read = messageOf(line)
    if ('seen' in read) return read
    if (this.#greeted !== null) {
      const checked = checkHello(read.message, PROTOCOL)
      if ('problem' in checked) return { seen: checked.problem }
      this.#cancelTimer()
      this.#greeted(checked.message)
      this.#greeted = null
      return null
    }
    const breach = this.#questions.answer(read.message)
    if (breach === null) this.#watch()
    return breach
  }

  /** What hangs is a driver that answers nothing any more; one that is busy with many cases at once is not. */
  #watch(): void {
    const { clock, timeoutMs = 10_000 } = this.#options
    if (this.#leaving) return
    this.#cancelTimer()
    if (this.#questions.open === 0 || !Number.isFinite(timeoutMs)) return
    this.#cancelTimer = clock.timer(timeoutMs, () => this.#broke(`gave no answer for ${timeoutMs} ms`))
  }

  #onExit({ code, signal, problem }: ChildExit): void {
    const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`
    const rest = this.#lines.rest()
    const cut = rest === '' ? '' : `; its last line has no end: ${shown(rest)}`
    if (problem !== null) this.#broke(`cannot be started: ${problem}; give a program that exists`)
    else if (!this.#leaving) this.#broke(`${how}${this.#greeted === null ? '' : ' before it answered hello'}${cut}`)
    else if (code !== 0) this.#broke(`${how} after bye; it must exit with code 0`)
    else if (rest !== '') this.#broke(`printed something after its last answer: ${shown(rest)}`)
  }

  /** The protocol was broken: by which case, as far as one can tell. */
  #broke(seen: string, caseId?: string): void {
    const { oldest, open } = this.#questions
    const others = caseId === undefined && open > 1 ? ` (or one of the ${open - 1} asked after it)` : ''
    const told = { caseId: caseId ?? oldest, stderr: this.#stderr.text() }
    this.#fail(new DriverError(`the driver ${seen}${others}`, told))
  }

  #fail(error: unknown): void {
    if (this.#failure !== null) return
    this.#failure = { error }
    this.#onFailure()
    this.#cancelTimer()
    this.#refused(error)
    this.#questions.rejectAll(error)
    this.#child.signal('SIGTERM')
  }
}
