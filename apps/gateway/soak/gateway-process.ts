import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Api } from './api.js'

/** How a gateway of a soak is started. */
export interface GatewayProcessOptions {
  /** Its settings, its log, its engine's files and, without `spool`, its spool. */
  readonly folder: string
  readonly spool?: string
  readonly embedded?: number
  readonly nodes?: readonly object[]
  readonly isolation?: boolean
  /** Without a log of requests, which costs a line each. */
  readonly isQuiet?: boolean
}

export const ADMIN = 'a-token-of-the-soaks-administrator'
export const WRITER = 'a-token-of-one-who-writes-there'

const START_MS = 60_000

/** The gateway as it is installed: its command in a process of its own. */
export class GatewayProcess {
  readonly #options: GatewayProcessOptions
  #child: ChildProcess | undefined
  #url = ''
  /** As its administrator. */
  readonly api: Api = new Api(() => this.#url, ADMIN)
  /** How often it refused to start since the engine of one that was killed had not ended. */
  refusedStarts = 0

  static async start(options: GatewayProcessOptions): Promise<GatewayProcess> {
    mkdirSync(options.folder, { recursive: true })
    const gateway = new GatewayProcess(options)
    await gateway.restart()
    return gateway
  }

  private constructor(options: GatewayProcessOptions) {
    this.#options = options
  }

  get url(): string {
    return this.#url
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** The process that hosts its engine; 0: there is none just now. */
  get enginePid(): number {
    try {
      return Number(readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8').trim().split(' ')[0])
    } catch {
      return 0
    }
  }

  get log(): string {
    const path = join(this.#options.folder, 'gateway.log')
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }

  /** Kilobytes that it, without its engine, has in memory. */
  get residentKb(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])
  }

  /** As a power cut of this process: SIGKILL. */
  async kill(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  /** Starts it over the same folders, as a service manager would: again, where it ends at once. */
  async restart(): Promise<void> {
    await this.kill()
    const endMs = performance.now() + START_MS
    while (!(await this.#start())) {
      this.refusedStarts++
      if (performance.now() > endMs) throw new Error(`The gateway does not start:\n${this.log.slice(-2000)}`)
      await sleep(250)
    }
  }

  /** Closes it as SIGTERM does. */
  async close(): Promise<void> {
    this.api.close()
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 30_000)
    await gone
    clearTimeout(late)
  }

  async #start(): Promise<boolean> {
    const { folder, spool = join(folder, 'spool'), embedded = 1, nodes = [], isolation = true } = this.#options
    const config = join(folder, 'gateway.json')
    const plans = { soak: { ratePerSecond: 1e6, burst: 1e6 } }
    const tokens = [
      { name: 'admin', token: ADMIN, scopes: ['admin', 'operator'], plan: 'soak' },
      { name: 'writer', token: WRITER, scopes: ['write:*'], plan: 'soak' },
    ]
    const settings = {
      port: 0,
      spool,
      embedded,
      isolation,
      writeTimeout: 120_000,
      quiet: this.#options.isQuiet ?? false,
    }
    const engine = embedded > 0 ? { dataDir: join(folder, 'engine') } : {}
    writeFileSync(config, JSON.stringify({ ...settings, ...engine, nodes, plans, tokens }), { mode: 0o600 })
    const log = openSync(join(folder, 'gateway.log'), 'a')
    const command = fileURLToPath(new URL('../bin/sluice-gateway.js', here))
    // It ends with this process, however that ends.
    const args = ['--pdeathsig', 'KILL', process.execPath, command, '--config', config]
    const child = spawn('setpriv', args, { stdio: ['ignore', 'pipe', log] })
    closeSync(log)
    this.#child = child
    const ended = once(child, 'exit')
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream }) // it is a pipe
    const line = once(lines, 'line').then(([text]) => String(text))
    const said = await Promise.race([line, ended.then(() => undefined)])
    if (said === undefined) return false
    this.#url = said.replace('sluice-gateway answers on ', '')
    return true
  }
}

/** This module may be built into another folder: the command is found from the one that soaks and their build are in. */
const here = import.meta.url.includes('/soak/dist/') ? new URL('../', import.meta.url) : import.meta.url
