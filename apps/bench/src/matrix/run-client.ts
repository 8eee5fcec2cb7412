import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { About, ConfigurationName } from './client.js'
import type { Job, Said } from './messages.js'
import type { Observation, Send } from './observation.js'
import { answer, type Probe, SHORT } from './probe.js'
import { epochNow, type ProbeServer } from './probe-server.js'

/** What was seen of one client in one configuration. */
export interface ClientRun {
  about: About
  configuration: ConfigurationName
  setup: string
  /** By probe id. */
  seen: Map<string, Observation>
  /** Errors that reached no caller. */
  strays: string[]
}

/** A plain success, before anything else: who fails it cannot be judged. */
const CONTROL: Probe = {
  id: 'control',
  rule: 'R3',
  group: '',
  title: '200',
  method: 'GET',
  answers: [answer(200)],
  expect: 'ends',
}

/** After this, what is left of a call is a matter of seconds. */
const SETTLED_MS = 2_000

const windowOf = (probe: Probe): number => probe.windowMs ?? SHORT

const triesOf = (probe: Probe): number => probe.tries ?? 1

const tryId = (probe: string, nth: number): string => (nth === 1 ? probe : `${probe}.${nth}`)

/**
 * A clean environment, proxies and keys left out, in a time zone where a date without a zone can be told from GMT.
 */
const ENVIRONMENT = { TZ: 'Asia/Tokyo' }

export interface RunOptions {
  server: ProbeServer
  client: string
  configuration: ConfigurationName
  probes: Probe[]
  /** Called once, when the busy first seconds are over: what follows is waiting, which another start does not disturb. */
  onQuiet?: () => void
  /** The child's program. */
  program?: string
}

/** Runs `client` in a process of its own and watches it until every window has closed. */
export async function runClient({
  server,
  client,
  configuration,
  probes,
  onQuiet,
  program,
}: RunOptions): Promise<ClientRun> {
  // Second and third tries come after all the first ones, so that a busy moment does not meet all of them.
  const most = Math.max(...probes.map(triesOf))
  const calls: { id: string; probe: Probe }[] = [{ id: CONTROL.id, probe: CONTROL }]
  for (let nth = 1; nth <= most; nth++) {
    for (const probe of probes) if (nth <= triesOf(probe)) calls.push({ id: tryId(probe.id, nth), probe })
  }
  const path = (id: string): string => `/${client}/${configuration}/${id}`
  const job: Job = {
    client,
    configuration,
    origin: server.origin,
    probes: calls.map(({ id, probe }) => ({
      id,
      path: path(id),
      method: probe.method,
      keyed: probe.keyed === true,
      abortAtMs: probe.abortAtMs ?? null,
    })),
  }
  const child = fork(program ?? fileURLToPath(new URL('./child.js', import.meta.url)), [], {
    env: ENVIRONMENT,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const strays: string[] = []
  const began = new Map<string, number>()
  const aborted = new Map<string, number>()
  const ended = new Map<string, Extract<Said, { ended: string }>>()
  let introduced: { about: About; setup: string } | undefined
  let records = new Map<string, Send[]>()

  try {
    await new Promise<void>((resolve, reject) => {
      const timers: NodeJS.Timeout[] = []
      const startUp = setTimeout(
        () => reject(new Error(`${client} (${configuration}) did not start within 30 s.`)),
        30_000,
      )
      child.on('exit', (code, signal) => {
        for (const timer of [startUp, ...timers]) clearTimeout(timer)
        reject(
          new Error(`${client} (${configuration}) ended by itself: ${signal ?? `exit ${code}`}. ${strays.join(' · ')}`),
        )
      })
      child.on('message', (message) => {
        // Only child.ts speaks on this channel.
        const said = message as Said
        if ('about' in said) {
          introduced = said
          records = new Map(calls.map(({ id, probe }) => [id, server.open(path(id), probe, said.about.dialect)]))
        } else if ('began' in said) {
          began.set(said.began, said.atMs)
          if (began.size < calls.length) return
          clearTimeout(startUp)
          const windows = probes.map(windowOf)
          timers.push(setTimeout(() => onQuiet?.(), Math.min(SETTLED_MS, ...windows)))
          timers.push(setTimeout(resolve, Math.max(...windows)))
        } else if ('aborted' in said) aborted.set(said.aborted, said.atMs)
        else if ('ended' in said) ended.set(said.ended, said)
        else strays.push(said.stray)
      })
      child.send(job)
    })
  } finally {
    child.removeAllListeners('exit')
    child.kill('SIGKILL')
  }

  if (!introduced) throw new Error(`${client} (${configuration}) did not say what it is.`)
  const observe = (id: string, probe: Probe): Observation => {
    const until = (began.get(id) ?? epochNow()) + windowOf(probe)
    return relative(records.get(id) ?? [], ended.get(id), aborted.get(id), until)
  }
  const seen = new Map<string, Observation>([[CONTROL.id, observe(CONTROL.id, CONTROL)]])
  for (const probe of probes) {
    const [first, ...again] = Array.from({ length: triesOf(probe) }, (_, index) =>
      observe(tryId(probe.id, index + 1), probe),
    )
    if (first) seen.set(probe.id, { ...first, again })
  }
  checkControl(client, configuration, seen.get('control'))
  return { about: introduced.about, configuration, setup: introduced.setup, seen, strays }
}

/** Epoch times to times since the first request, nothing of what came after the window closed. */
function relative(
  sends: Send[],
  end: Extract<Said, { ended: string }> | undefined,
  aborted: number | undefined,
  until: number,
): Observation {
  const zero = sends[0]?.atMs ?? until
  return {
    sends: sends
      .filter(({ atMs }) => atMs <= until)
      .map((send) => ({
        ...send,
        atMs: send.atMs - zero,
        answeredAtMs: send.answeredAtMs - zero,
        notBeforeMs: send.notBeforeMs === null ? null : send.notBeforeMs - zero,
      })),
    end:
      end && end.atMs <= until
        ? { atMs: end.atMs - zero, status: end.status, retryAfter: end.retryAfter, body: end.body, error: end.error }
        : null,
    abortedAtMs: aborted === undefined ? null : aborted - zero,
    untilMs: until - zero,
    again: [],
  }
}

function checkControl(client: string, configuration: ConfigurationName, control: Observation | undefined): void {
  if (control?.sends.length === 1 && control.end?.status === 200 && control.end.body?.includes('answer-1')) return
  throw new Error(
    `${client} (${configuration}) does not get a plain 200 through: ${control?.sends.length} request(s), ended with ${JSON.stringify(control?.end)}. Mend src/matrix/clients/${client}.ts.`,
  )
}
