import { ClientBuilder, type GatewayClient, unwrap } from '@sluice/client'
import type { Clock } from '@sluice/core'
import { pause } from '../surge/pause.js'
import type { Counted, IngestFigures } from './figures.js'
import { type FlightEvent, flightsBySource } from './flights.js'
import { type Lookout, type Sight, startLookout } from './lookout.js'
import { EVERY_MS, type Sender, type Sent, sendOnce, startSender } from './sender.js'
import { COUNTS, countingPipe, definitionOf, OTHERS, RUNAWAY } from './sources.js'
import { WrongDays } from './wrong-days.js'

/** How long things last, in ms. */
export interface IngestLengths {
  /** Between two flushes of a data source: its plan. */
  readonly flush: number
  /** And of the runaway: five of these are what opens its breaker. */
  readonly runawayFlush: number
  /** Until the runaway begins. */
  readonly calm: number
  /** How long its breaker is waited for. */
  readonly open: number
  /** How long it goes on after that; less than a hold. */
  readonly goOn: number
  /** How long its recovery is waited for. */
  readonly recover: number
  /** In which all flights would be sent. What is left when the act is over is sent at once. */
  readonly flights: number
}

/** The plan's flush interval is the default. */
export const INGEST_LENGTHS: IngestLengths = Object.freeze({
  ...{ flush: 1000, runawayFlush: 1000, calm: 5000, open: 25_000, goOn: 3000, recover: 120_000, flights: 80_000 },
})
/** How long writes of the runaway are held back, in place of 60 s: a minute is enough to watch. */
export const HOLD_MS = 5000
/** The runaway's rate, as a multiple of another's. */
export const TIMES = 20

/** Where the act is, and how the runaway is. */
export interface IngestScene {
  readonly phase: 'sizing' | 'calm' | 'runaway' | 'recovery' | 'counting'
  readonly phaseMs: number
  readonly sight: Sight | null
  /** How soon rows of the others were seen, of the last that were; null: none was yet. */
  readonly othersMs: number | null
}

/** What the act is played with. */
export interface IngestOptions {
  readonly url: string
  /** Of a token that may everything. */
  readonly secret: string
  readonly lengths: IngestLengths
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onScene: (scene: IngestScene) => void
}

/** What the parts of the act have in common. */
interface Play extends IngestOptions {
  readonly client: GatewayClient
}

/**
 * Sends the flights as events, through a sender for each data source, one of which runs away and stops.
 * @throws ApiError where the gateway refuses what it should take; the signal's reason
 */
export async function playIngest(options: IngestOptions): Promise<IngestFigures> {
  const client = new ClientBuilder(options.url).bearer(options.secret).build()
  const play: Play = { ...options, client }
  const { lengths, clock, signal, onScene } = play
  onScene({ phase: 'sizing', phaseMs: 0, sight: null, othersMs: null })
  await define(play)
  const flights = await flightsBySource()
  const wrong = new WrongDays()
  const { perSecond, sent: tried } = await tryInserts(play, wrong)

  const beganMs = clock.now()
  let [phase, phaseFromMs]: [IngestScene['phase'], number] = ['calm', beganMs]
  const enter = (next: IngestScene['phase']): number => {
    ;[phase, phaseFromMs] = [next, clock.now()]
    return phaseFromMs - beganMs
  }
  const left = new Map([...flights].map(([name, all]) => [name, [...all]]))
  const others = [...left].map(([source, events]) => {
    const atOnce = Math.ceil((events.length * EVERY_MS) / lengths.flights)
    return startSender({ client, clock, signal, source, wait: true, next: () => events.splice(0, atOnce) })
  })
  const ordinary = atOnceOf(flights, lengths)
  let [rows, days] = [ordinary, (): number => 1]
  const runaway = startSender({
    ...{ client, clock, signal, source: RUNAWAY, wait: false },
    next: () => wrong.take(rows, days()),
  })
  const lookout = startLookout(client, clock, signal, (sight) =>
    onScene({ phase, phaseMs: clock.now() - phaseFromMs, sight, othersMs: lastOf(others) }),
  )
  const all = [...others, runaway, lookout]
  try {
    await pause(clock, lengths.calm, signal)
    const runawayMs = enter('runaway')
    const fromMs = clock.now()
    rows = TIMES * ordinary
    days = () => Math.max(rows, wrongDaysAt(clock.now() - fromMs, perSecond, lengths))
    const hasOpened = await lookout.until(({ state }) => state !== 'flowing', lengths.open)
    const openedMs = hasOpened ? clock.now() - beganMs : null
    const most = days()
    days = () => most
    await pause(clock, lengths.goOn, signal)
    await runaway.stop()
    const stoppedMs = enter('recovery')
    const recoveredMs = await recovery(lookout, lengths, () => clock.now() - beganMs)
    enter('counting')
    await Promise.all(all.map((it) => it.stop()))
    const rest = await sendRest(play, left)
    const since = <T extends { readonly atMs: number }>(its: readonly T[]): T[] =>
      its.map((it) => ({ ...it, atMs: it.atMs - beganMs }))
    const sentByOthers = since(others.flatMap(({ sent }) => sent))
    const sentByRunaway = since(runaway.sent)
    const [countedOthers, countedRunaway] = await count(play, [...sentByOthers, ...rest], [...sentByRunaway, ...tried])
    return {
      ...{ flushMs: lengths.flush, moments: { runawayMs, openedMs, stoppedMs, recoveredMs } },
      ...{ others: sentByOthers, runaway: sentByRunaway.filter(({ atMs }) => atMs >= runawayMs) },
      ...{ sights: since(lookout.sights), notices: lookout.notices, countedOthers, countedRunaway },
    }
  } finally {
    await Promise.allSettled(all.map((it) => it.stop())) // what went wrong first is told
  }
}

async function define({ client, lengths, signal }: Play): Promise<void> {
  for (const name of [...Object.keys(OTHERS), RUNAWAY]) {
    const flushMs = name === RUNAWAY ? lengths.runawayFlush : lengths.flush
    await unwrap(client.putDataSource({ path: { name }, body: definitionOf(name, flushMs), signal }))
  }
  await unwrap(client.putPipe({ path: { name: COUNTS }, body: countingPipe(), signal }))
}

/** How many inserts of one row this engine does in a second, the middle of three trials. */
async function tryInserts(play: Play, wrong: WrongDays): Promise<{ perSecond: number; sent: readonly Sent[] }> {
  const sent: Sent[] = []
  for (let n = 0; n < 3; n++)
    sent.push(await sendOnce({ ...play, source: RUNAWAY, wait: true }, wrong.take(TRIAL_ROWS, TRIAL_ROWS)))
  const [, tookMs = 0] = sent.map((it) => it.tookMs).sort((one, other) => one - other)
  return { perSecond: (TRIAL_ROWS * 1000) / Math.max(tookMs - play.lengths.runawayFlush, 20), sent }
}

const TRIAL_ROWS = 60

/**
 * How many partitions it has in turn: less than half of what the engine did in five flush intervals when it was tried, and
 * then a quarter more with each. Whatever the engine can do beside the others, which may be some times what it did with few
 * rows, at some time an event waits for five, which opens a breaker (I2); and what waits then is not much more than it can do
 * in the next five.
 */
function wrongDaysAt(ms: number, perSecond: number, { runawayFlush }: IngestLengths): number {
  const share = 0.4 * 1.25 ** Math.max(0, ms / runawayFlush - 5)
  return Math.ceil((share * perSecond * 5 * runawayFlush) / 1000)
}

/** Rows of a request of an ordinary data source: the mean of the others. */
function atOnceOf(flights: ReadonlyMap<string, readonly FlightEvent[]>, { flights: wholeMs }: IngestLengths): number {
  const rows = [...flights.values()].reduce((sum, { length }) => sum + length, 0)
  return Math.max(1, Math.round((rows / flights.size) * (EVERY_MS / wholeMs)))
}

async function recovery(lookout: Lookout, { recover }: IngestLengths, now: () => number): Promise<number | null> {
  return (await lookout.until(({ state, rows }) => state === 'flowing' && rows === 0, recover)) ? now() : null
}

function lastOf(senders: readonly Sender[]): number | null {
  const last = senders.flatMap(({ sent }) => sent.slice(-3)).map(({ tookMs }) => tookMs)
  return last.length === 0 ? null : Math.max(...last)
}

const REST_ROWS = 10_000

/** The flights that there was no time for. */
async function sendRest(play: Play, left: ReadonlyMap<string, FlightEvent[]>): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  const one = async (source: string, events: FlightEvent[]): Promise<void> => {
    while (events.length > 0) sent.push(await sendOnce({ ...play, source, wait: true }, events.splice(0, REST_ROWS)))
  }
  await Promise.all([...left].map(([source, events]) => one(source, events)))
  return sent
}

async function count({ client, signal }: Play, ...sent: readonly (readonly Sent[])[]): Promise<[Counted, Counted]> {
  const { data } = await unwrap(client.runPipe({ path: { name: COUNTS }, signal }))
  const counted = (isMeant: (source: unknown) => boolean, its: readonly Sent[] = []): Counted => {
    const found = data.filter(({ source }) => isMeant(source))
    const sum = (of: (row: (typeof found)[number]) => unknown) => found.reduce((all, row) => all + Number(of(row)), 0)
    return {
      sent: its.reduce((all, { rows }) => all + rows, 0),
      rows: sum(({ rows }) => rows),
      events: sum(({ events }) => events),
    }
  }
  return [counted((it) => it !== RUNAWAY, sent[0]), counted((it) => it === RUNAWAY, sent[1])]
}
