import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
// The package by its own name: what is tested is what is built and published.
import { type Gateway, type GatewayOptions, type LogFields, type Logger, startGateway } from '@sluice/gateway'

export const SECRET = 'test-token-of-ann-0001'

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: LogFields
}

/** A gateway, what it logged, and a way to ask it as Ann. */
export interface RunningGateway extends Gateway {
  readonly log: readonly LogLine[]
  get(path: string, init?: RequestInit): Promise<Response>
  /** The latest line of which this holds. */
  lastLine(holds: (line: LogLine) => boolean): LogLine | undefined
  /** The process of the engine that runs now. */
  enginePid(): number
}

/**
 * A breaker that no slow machine opens. Its age is told by flush intervals (I2), which tests have short: on a busy one the
 * writes of a test about something else would be held back for a minute.
 */
export const patient = { slowRatio: 1e9, oldIntervals: 1e9 }

/** Quota enough not to be in the way of a test about something else. */
export const generous = { default: { ratePerSecond: 10_000, burst: 10_000 } }

export async function run(options: Partial<GatewayOptions> = {}): Promise<RunningGateway> {
  const log: LogLine[] = []
  const at =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}) => {
      log.push({ level, message, fields })
    }
  const logger: Logger = { info: at('info'), warn: at('warn'), error: at('error') }
  const tokens = [{ name: 'ann', token: SECRET }]
  const gateway = await startGateway({ tokens, plans: generous, logger, ...options })
  const lastLine = (holds: (line: LogLine) => boolean) => log.filter(holds).at(-1)
  return {
    ...gateway,
    log,
    lastLine,
    get: (path, init = {}) =>
      fetch(`${gateway.url}${path}`, { ...init, headers: { authorization: `Bearer ${SECRET}`, ...init.headers } }),
    enginePid: () => Number(lastLine((it) => it.message === 'engine ready')?.fields.pid),
  }
}

/** Queries that have a slot of its first node: they have come, and are not answered yet. */
export async function inFlight(gateway: RunningGateway): Promise<number> {
  return (await (await gateway.get('/v1/status')).json()).nodes[0].limit.in_flight
}

/** Asks again and again until the answer is yes; fails after a minute, so that it is told what was waited for. */
export async function until(what: string, yes: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 60_000
  while (!(await yes())) {
    if (performance.now() > endMs) throw new Error(`Waited 60 s in vain until ${what}.`)
    await sleep(20)
  }
}

/** An orphan that ended stays as a zombie where nothing collects it (containers without an init): not alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = `/proc/${pid}/stat`
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'))
}
