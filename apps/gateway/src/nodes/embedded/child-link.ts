import { type ChildProcess, fork } from 'node:child_process'
import { resolve as absolute } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Dataset } from '../../datasets/dataset.js'
import type { Logger } from '../../logger.js'
import { EngineError } from '../engine-error.js'
import { EngineStartError } from '../engine-start-error.js'
import { NodeUnavailableError } from '../node-unavailable-error.js'
import type { ChildAnswer, FromChild, Row, ToChild } from './messages.js'
import type { TenantRole } from './tenant-role.js'

/** What one child process is started with. */
export interface ChildLinkOptions {
  readonly path: string
  readonly removePath: boolean
  readonly sessions: number
  readonly writeSessions: number
  readonly maxWaiting: number
  readonly roles: readonly TenantRole[]
  /** By which log lines and errors name it. */
  readonly node: string
  readonly logger: Logger
}

/** What was asked of a child. */
export interface Asked<T> {
  readonly answer: Promise<T>
  /** Kills what gives the answer, which rejects then. */
  readonly cancel: () => void
}

type Reply = Extract<FromChild, { type: 'done' | 'answer' | 'rows' }>
/** A question without its id. */
type Question<T extends ToChild['type']> = Omit<Extract<ToChild, { type: T }>, 'id' | 'type'>

interface Waiter {
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: Error) => void
}

const gone = () => new NodeUnavailableError('The engine went away; it is being started again.', 1000)

/** The gateway's end of one child process: asks, and matches answers to questions. It knows nothing of restarts. */
export class ChildLink {
  readonly #child: ChildProcess
  readonly #node: string
  readonly #waiters = new Map<string, Waiter>()
  #lastId = 0
  #opened: ((outcome: FromChild | undefined) => void) | undefined

  /** Resolves with a description once the process has ended, however it ended. */
  readonly exited: Promise<string>

  /** Starts a child and waits until its engine is open. @throws EngineStartError */
  static async start(options: ChildLinkOptions): Promise<ChildLink> {
    const { node, logger, ...rest } = options
    const open = { ...rest, path: absolute(rest.path) }
    const link = new ChildLink(open.path, open.sessions + open.writeSessions, node, logger)
    const opened = new Promise<FromChild | undefined>((resolve) => {
      link.#opened = resolve
    })
    link.#send({ type: 'open', ...open })
    const outcome = await opened
    if (outcome?.type === 'ready') return link
    link.kill()
    if (outcome?.type === 'unusable') throw new EngineStartError(outcome.code, outcome.message)
    throw new EngineStartError('ENGINE_FAILED', `The engine's process ended before it was ready: ${await link.exited}.`)
  }

  private constructor(cwd: string, threads: number, node: string, logger: Logger) {
    this.#node = node
    this.#child = fork(fileURLToPath(new URL('./engine-child.js', import.meta.url)), [], {
      cwd, // not the gateway's: chdb would take the config.xml of a server that lies there for its own
      // libuv reads its number of threads once, at the start: set later it has no effect. Some are for the child's own
      // questions, and for files.
      env: { ...engineEnvironment(), UV_THREADPOOL_SIZE: String(threads + 6) },
      serialization: 'advanced', // a block as JSON text inside of JSON would cost more than to insert it
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    if (this.#child.stderr !== null) {
      createInterface({ input: this.#child.stderr }).on('line', (line) => logger.warn('engine says', { node, line }))
    }
    this.#child.on('message', (message) => this.#receive(message as FromChild)) // the child is ours: it sends nothing else
    this.exited = new Promise((resolve) => {
      const end = (how: string) => {
        this.#opened?.(undefined)
        for (const waiter of this.#waiters.values()) waiter.reject(gone())
        this.#waiters.clear()
        resolve(how)
      }
      this.#child.on('error', (error) => end(error.message))
      this.#child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`))
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Fills a table with a data set, replacing what it held. */
  async seed({ table, createSql, load }: Dataset): Promise<void> {
    const ndjson = await load()
    await this.#ask((id) => ({ type: 'seed', id, table, createSql, ndjson })).answer
  }

  query(query: Question<'query'>): Asked<ChildAnswer> {
    const { id, answer, cancel } = this.#ask((id) => ({ type: 'query', id, ...query }))
    const certain = answer.then((reply) => {
      if (reply.type === 'answer') return reply.answer
      throw new EngineError('The engine confirmed a query without an answer.', undefined, id, this.#node)
    })
    return { answer: certain, cancel }
  }

  /** Runs a statement of the gateway's own. */
  run(sql: string): Asked<readonly Row[]> {
    const { answer, cancel } = this.#ask((id) => ({ type: 'run', id, sql }))
    return { answer: answer.then((reply) => (reply.type === 'rows' ? reply.rows : [])), cancel }
  }

  insert(insert: Question<'insert'>): Asked<unknown> {
    return this.#ask((id) => ({ type: 'insert', id, ...insert }))
  }

  /** Ends what still writes a block. */
  settle(block: string): Asked<unknown> {
    return this.#ask((id) => ({ type: 'settle', id, block }))
  }

  ping(): Asked<unknown> {
    return this.#ask((id) => ({ type: 'ping', id }))
  }

  /** Asks the child to end, and ends it after `graceMs` if it does not. */
  async close(graceMs: number): Promise<void> {
    this.#send({ type: 'close' })
    const timer = setTimeout(() => this.kill(), graceMs)
    await this.exited
    clearTimeout(timer)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #ask(message: (id: string) => ToChild): Asked<Reply> & { readonly id: string } {
    this.#lastId += 1
    const id = `q${this.#lastId}`
    const answer = new Promise<Reply>((resolve, reject) => {
      this.#waiters.set(id, { resolve, reject })
    })
    this.#send(message(id), id)
    return { id, answer, cancel: () => this.#send({ type: 'cancel', id }) }
  }

  #send(message: ToChild, id?: string): void {
    const failed = () => {
      if (id === undefined) return
      this.#waiters.get(id)?.reject(gone())
      this.#waiters.delete(id)
    }
    if (!this.#child.connected) failed()
    else this.#child.send(message, (error) => error && failed())
  }

  #receive(message: FromChild): void {
    if (message.type === 'ready' || message.type === 'unusable') {
      this.#opened?.(message)
      return
    }
    const waiter = this.#waiters.get(message.id)
    this.#waiters.delete(message.id)
    if (message.type === 'failure')
      waiter?.reject(new EngineError(message.message, message.clickhouseCode, message.id, this.#node))
    else waiter?.resolve(message)
  }
}

/** The child needs no secret of the gateway's. */
function engineEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SLUICE_')))
}
