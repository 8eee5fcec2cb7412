import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../logger.js'
import { within } from '../../within.js'
import { EngineError } from '../engine-error.js'
import type { NodeState, NodeTrouble } from '../node.js'
import { NodeRefusalError } from '../node-refusal-error.js'
import { NodeUnavailableError } from '../node-unavailable-error.js'
import { type ServerVersion, serverVersion } from './server-version.js'

/** A server that is down is asked so often, and has so long for its answer. */
const ASK_EVERY_MS = 1000
/** Whoever is let in may ask it, of any version. */
const QUESTION = `SELECT version() AS version, (SELECT value FROM system.settings WHERE name = 'readonly') AS readonly`
const READ_ONLY = 164
const UNKNOWN_USER_OR_PASSWORD =
  'give this node, in the settings of the gateway, a user and password that the server has'
const REMEDIES: ReadonlyMap<number | undefined, string> = new Map([
  ...[192, 193, 194, 516].map((code) => [code, UNKNOWN_USER_OR_PASSWORD] as const),
  [195, 'let its user connect from the address of the gateway, on the server'],
  [READ_ONLY, 'give its user a profile without readonly, on the server'],
])

/** Asks the server. @throws EngineError, NodeUnavailableError; the signal's reason */
export type Ask = (sql: string, signal: AbortSignal | undefined) => Promise<string>

/**
 * Whether a server is there for the gateway. One question decides that, which all are answered that are let in: what is
 * refused beside it is one table's matter, or one right's.
 */
export class Presence {
  readonly #node: string
  readonly #logger: Logger
  readonly #ask: Ask
  readonly #closing = new AbortController()
  #state: NodeState = 'starting'
  #version: ServerVersion | undefined
  #isForWriting = false
  #isReadOnly = false
  /** Why it is down, so that it is logged once. */
  #why: string | undefined
  #trouble: NodeTrouble | undefined

  constructor(node: string, logger: Logger, ask: Ask) {
    this.#node = node
    this.#logger = logger
    this.#ask = ask
  }

  get state(): NodeState {
    return this.#state
  }

  /** Why it is down; undefined: it is not. */
  get trouble(): NodeTrouble | undefined {
    return this.#state === 'down' ? this.#trouble : undefined
  }

  /** Its version; asked for, unless it is up. @throws as {@link ask} */
  async known(signal: AbortSignal | undefined): Promise<ServerVersion> {
    return this.#version ?? this.ask(signal)
  }

  /** The same, for what is to be written: from now on a server that can only be read is down. @throws as {@link ask} */
  async knownForWriting(signal: AbortSignal): Promise<ServerVersion> {
    this.#isForWriting = true
    return this.#isReadOnly ? this.ask(signal) : this.known(signal)
  }

  /**
   * Asks it, and knows then whether it is up.
   * @throws NodeRefusalError, NodeUnavailableError; and without knowing more than before EngineError, where it is short of
   *   something, and the signal's reason
   */
  async ask(signal: AbortSignal | undefined): Promise<ServerVersion> {
    const { version, readonly } = await this.#answer(signal)
    this.#isReadOnly = readonly === '2'
    if (readonly === '1' || (this.#isReadOnly && this.#isForWriting))
      throw this.#refusal(READ_ONLY, new Error(`The profile of its user has readonly = ${readonly}.`))
    const known = serverVersion(version)
    if (this.#state !== 'up') this.#logger.info('server answers', { node: this.#node, version: known.text })
    this.#state = 'up'
    this.#version = known
    this.#why = undefined
    return known
  }

  /** It refused something, which may be all: it is asked. @returns why it is down; undefined: it is up, or nobody knows */
  async doubted(): Promise<NodeRefusalError | undefined> {
    const silent = new NodeUnavailableError('The server does not answer.', ASK_EVERY_MS)
    return within(ASK_EVERY_MS, silent, (late) => this.ask(late), this.#closing.signal).then(
      () => undefined,
      (error) => (error instanceof NodeRefusalError ? error : undefined),
    )
  }

  /** It does not answer. */
  lost(error: unknown): void {
    const { systemCode = undefined } = error instanceof NodeUnavailableError ? error : {}
    const words = systemCode === undefined ? 'does not answer' : `does not answer (${systemCode})`
    this.#isDown('silent', { kind: 'silent', words }, () =>
      this.#logger.warn('server does not answer', { node: this.#node, error: String(error) }),
    )
  }

  close(): void {
    this.#closing.abort()
  }

  async #answer(signal: AbortSignal | undefined): Promise<{ readonly version: string; readonly readonly: unknown }> {
    try {
      const row = rowOf(await this.#ask(QUESTION, signal))
      if (typeof row?.version === 'string') return { version: row.version, readonly: row.readonly }
      throw new StrangerError('What answers is no ClickHouse server.', ASK_EVERY_MS)
    } catch (error) {
      if (error instanceof StrangerError) this.#isStranger(error)
      else if (error instanceof NodeUnavailableError) this.lost(error)
      if (error instanceof EngineError && !error.outOfResources) throw this.#refusal(error.clickhouseCode, error)
      throw error
    }
  }

  #refusal(code: number | undefined, cause: Error): NodeRefusalError {
    const remedy = REMEDIES.get(code) ?? 'mend what it says, on the server'
    const words = `refuses the gateway (Code: ${code ?? 'none'})`
    this.#isDown(`refuses: ${code}`, { kind: 'refuses', words }, () =>
      this.#logger.error('server refuses the gateway', { node: this.#node, error: cause.message, remedy }),
    )
    return new NodeRefusalError(code, cause)
  }

  /** It answers, and what it says is none of a server's words. */
  #isStranger(error: StrangerError): void {
    this.#isDown('silent', { kind: 'refuses', words: 'is no ClickHouse server' }, () =>
      this.#logger.warn('server does not answer', { node: this.#node, error: String(error) }),
    )
  }

  #isDown(why: string, trouble: NodeTrouble, log: () => void): void {
    const isNew = this.#state !== 'down'
    this.#state = 'down'
    this.#trouble = trouble
    this.#version = undefined // it may come back as another one
    if (this.#closing.signal.aborted) return
    if (why !== this.#why) log()
    this.#why = why
    if (isNew) void this.#askUntilUp()
  }

  /** Whatever else asks it: where nothing is kept in a spool, nothing does. */
  async #askUntilUp(): Promise<void> {
    const { signal } = this.#closing
    while (this.#state === 'down' && !signal.aborted) {
      await sleep(ASK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined) // it is closed
      if (!signal.aborted) await this.doubted()
    }
  }
}

class StrangerError extends NodeUnavailableError {}

/** Undefined: it is not in ClickHouse's JSON form. */
function rowOf(answer: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(answer).data[0]
  } catch {
    return undefined
  }
}
