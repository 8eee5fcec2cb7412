import { randomBytes } from 'node:crypto'
import type { Clock } from '@sluice/core'
import type { GatewayLimitOptions, GatewayOptions, Pipe, TokenOptions } from '@sluice/gateway'
import type { AskOptions } from './ask.js'
import { pause } from './pause.js'
import { questions } from './questions.js'
import { type Sizing, SLOTS } from './sizing.js'
import type { Asker } from './stand.js'
import { LENGTHS, WINDOW_MS } from './surge.js'
import { startTraffic } from './traffic.js'
import { runJob, size } from './trial.js'

/** Where it is; in the order in which it gets there. */
type State = 'idle' | 'preparing' | 'calm' | 'job' | 'after'

/**
 * What the gateway that goes on serving is limited with. What is usual is learned from the callers of the first surge, in
 * four windows. Their windows hold 20 answers and more; what a visitor asks with the demo's quota makes at most 15, which
 * count for nothing: those questions are other ones, and much shorter.
 */
const LIVE_LIMIT: GatewayLimitOptions = {
  maxConcurrent: SLOTS,
  windowMs: WINDOW_MS,
  minSamples: 16,
  warmupWindows: 4,
  smoothingTimeConstantMs: LENGTHS.smoothing,
  smoothingSamples: 0,
}
/** Until those windows are there. */
const FIRST_CALM_MS = 9000
/** How long its job takes alone: long enough to look at. */
const JOB_MS = 8000
/** Until the limit is back. */
const AFTER_MS = 14_000

const ASKERS: readonly Asker[] = ['callers', 'job']

/** What a live surge is made with. */
export interface LiveSurgeOptions {
  readonly cores: number
  readonly clock: Clock
  readonly random: () => number
}

/** The surge on the gateway that goes on serving, for the console to start and to show: one at a time. */
export class LiveSurge {
  readonly #options: LiveSurgeOptions
  readonly #controller = new AbortController()
  #state: State = 'idle'
  #failure: string | null = null
  readonly #secrets = new Map(ASKERS.map((name) => [name, randomBytes(18).toString('base64url')]))
  #url: string | undefined
  #sizing: Sizing | undefined

  constructor(options: LiveSurgeOptions) {
    this.#options = options
  }

  /** How its gateway is limited, and where it is asked for. */
  get gatewayOptions(): Pick<GatewayOptions, 'limit' | 'readTimeoutMs' | 'routes'> {
    return {
      limit: LIVE_LIMIT,
      readTimeoutMs: 120_000, // the job takes its time
      routes: { '/demo/surge': ({ method }) => this.#answer(method) },
    }
  }

  /** What is asked in it. */
  get pipes(): readonly Pipe[] {
    return questions(this.#options.cores)
  }

  /** Who asks in it, by a plan `surge`. */
  get tokens(): readonly TokenOptions[] {
    return [...this.#secrets].map(([name, token]) => ({ name, token, plan: 'surge' }))
  }

  /** @param url of the gateway that it is played on */
  playOn(url: string): void {
    this.#url = url
  }

  /** Ends one that is under way, at once. */
  stop(): void {
    this.#controller.abort()
  }

  /** GET tells how far it is; POST starts one, where none is under way. */
  #answer(method: string): Response {
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
      return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } })
    if (method === 'POST' && this.#state === 'idle') void this.#play()
    const status = method === 'POST' ? 202 : 200
    const headers = { 'cache-control': 'no-store' }
    return Response.json({ state: this.#state, failure: this.#failure }, { status, headers })
  }

  async #play(): Promise<void> {
    const [url, { signal }] = [this.#url, this.#controller]
    if (url === undefined) return
    const { clock, random, cores } = this.#options
    const headersOf = (asker: Asker) => ({ authorization: `Bearer ${this.#secrets.get(asker)}` })
    const asking: AskOptions = { stand: { url, headersOf }, clock, signal }
    this.#failure = null
    this.#state = 'preparing'
    try {
      const calmMs = this.#sizing === undefined ? FIRST_CALM_MS : LENGTHS.calm
      this.#sizing ??= await size(asking, cores, JOB_MS)
      this.#state = 'calm'
      const traffic = startTraffic(this.#sizing, random, asking)
      try {
        await pause(clock, calmMs, signal)
        this.#state = 'job'
        await runJob(this.#sizing, asking)
        this.#state = 'after'
        await pause(clock, AFTER_MS, signal)
      } finally {
        await traffic.stop()
      }
    } catch (error) {
      if (!signal.aborted) this.#failure = `The surge ended early: ${error instanceof Error ? error.message : error}`
    }
    this.#state = 'idle'
  }
}
