import { type AcquireOptions, AdaptiveSemaphore, type Slot } from '@sluice/core'
import { VirtualClock } from '@sluice/core/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'

/** One thing that happens; numbers choose among what is there. */
type Act =
  | { does: 'arrive' | 'run'; cap: number | null; shares: boolean }
  | { does: 'retry' | 'finish' | 'fail' | 'abort'; which: number }
  | { does: 'throttle'; retryAfterMs: number | null }
  | { does: 'measure'; latencyMs: number; count: number }
  | { does: 'pass' | 'jump'; ms: number }
  | { does: 'tick' | 'reset' | 'look' | 'try' | 'dispose' }
/** What happens in one instant, in this order; but for ticks, before anybody who is told of it can do something. */
type Instant = readonly Act[]

const which = fc.nat(50)
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constantFrom('arrive' as const, 'run' as const),
      cap: fc.constantFrom(null, null, 500, 5000),
      shares: fc.constantFrom(false, false, true),
    }),
  },
  { weight: 8, arbitrary: fc.record({ does: fc.constantFrom('finish' as const, 'fail' as const), which }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('abort' as const, 'retry' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('throttle' as const),
      retryAfterMs: fc.constantFrom(null, 0, 1, 700, 5000, 3_600_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('measure' as const),
      latencyMs: fc.constantFrom(100, 100, 130, 200, 900),
      count: fc.constantFrom(1, 50),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('pass' as const),
      ms: fc.constantFrom(0, 1, 57, 250, 999, 1000, 2000, 10_000, 86_400_000),
    }),
  },
  // The clock jumps, as where a thread was blocked or a machine slept: its timers are late.
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('jump' as const), ms: fc.constantFrom(1, 999, 10_000, 3_600_000) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('tick' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('reset' as const, 'look' as const, 'try' as const) }) },
  { weight: 1, arbitrary: fc.nat(7).map((one) => ({ does: one === 0 ? ('dispose' as const) : ('look' as const) })) },
)
const instants = fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 40 })
const settings = fc.record({
  controller: fc.constantFrom('windowed' as const, 'knee' as const),
  overdraftMs: fc.constantFrom(0, 20_000, 120_000), // 0: callers are shed as soon as they wait long
  maxConcurrent: fc.constantFrom(1, 2, 3, 8, 35),
  maxQueue: fc.constantFrom(0, 3, 500),
  queueTimeoutMs: fc.constantFrom(1, 1000, 10_000, 1_000_000_000),
  minSamples: fc.constantFrom(1, 50),
  shadow: fc.boolean(),
  latencyControl: fc.boolean(),
  prior: fc.constantFrom(null, { p90Ms: 100 }),
})

interface Call {
  place: number
  isRetry: boolean
  controller: AbortController
  /** How often it was told that it has a slot, or that it gets none. */
  settled: number
  started: boolean
}

interface Arrival {
  retryOf?: Slot
  runs?: boolean
  shares?: boolean
}

/** A call that has a slot. */
interface Flight {
  slot: Slot
  end(failed: boolean): void
}

/** Calls of a limiter, and what must hold of them at any time. */
class World {
  readonly clock = new VirtualClock()
  readonly limiter: AdaptiveSemaphore
  readonly calls: Call[] = []
  readonly inFlight: Flight[] = []
  readonly ended: Slot[] = []
  readonly #enforced: () => number
  readonly #overtaken: Call[] = []
  #holdEndedMs = Number.NEGATIVE_INFINITY
  /** What the time is at least, after a jump: the timers come to it when everybody has had a turn. */
  #leastMs = 0
  /** Promises of run(), settled or not yet. */
  readonly #runs: { ended: boolean; settled: number }[] = []
  operations = 0

  constructor(options: { maxConcurrent: number; shadow: boolean; queueTimeoutMs: number }) {
    const { clock } = this
    this.limiter = new AdaptiveSemaphore({
      ...options,
      clock: {
        now: () => this.#now,
        wallNow: () => clock.wallNow(),
        timer: (ms, fire) => clock.timer(this.#now - clock.now() + ms, fire),
      },
    })
    this.#enforced = () => (options.shadow ? options.maxConcurrent : this.limiter.snapshot().limit)
  }

  get waiting(): Call[] {
    return this.calls.filter(({ settled }) => settled === 0)
  }

  async instant(acts: Instant): Promise<void> {
    for (const one of acts) {
      this.operations++
      if (one.does === 'pass') await this.#pass(one.ms)
      else if (one.does === 'tick') await null
      else this.#do(one)
    }
    await this.#pass(0)
    await this.clock.advance(0) // who timed out has had its last turn
    if (this.operations % 3 > 0) return // whoever reads sets timers anew, so it is not done each time
    // L16: reading starts nobody, since whoever could start has.
    const waited = this.waiting.length
    this.limiter.snapshot()
    await this.clock.advance(0)
    expect(this.waiting.length).toBe(waited)
    this.check()
  }

  /** Timers that a jump made late come first, all of them at its end. */
  #pass(ms: number): Promise<void> {
    return this.clock.advance(this.#now - this.clock.now() + ms)
  }

  check(): void {
    const { limit, inFlight, queued } = this.limiter.snapshot()
    expect(this.#overtaken).toEqual([])
    expect(limit).toBeGreaterThanOrEqual(1)
    expect([inFlight, queued]).toEqual([this.inFlight.length, this.waiting.length])
    for (const { settled } of this.calls) expect(settled).toBeLessThanOrEqual(1)
    for (const { settled, ended } of this.#runs) expect(settled).toBe(ended ? 1 : 0)
    // L13: who waits has a reason to.
    const spread = this.#now < this.#holdEndedMs + 2000 // L10: a second for some, and no more for the others
    if (queued > 0 && !spread) expect(inFlight).toBeGreaterThanOrEqual(this.#enforced())
    // L16: one timer, and only for who waits.
    expect(this.clock.pending()).toBe(queued > 0 ? 1 : 0)
  }

  get #now(): number {
    return Math.max(this.clock.now(), this.#leastMs)
  }

  /** @param shares the call has the signal of another that waits: one caller of several */
  arrive(cap: number | null, { retryOf, runs = false, shares = false }: Arrival = {}): void {
    const controller = (shares ? this.waiting.at(-1)?.controller : undefined) ?? new AbortController()
    const call: Call = {
      place: this.calls.length,
      isRetry: retryOf !== undefined,
      controller,
      settled: 0,
      started: false,
    }
    this.calls.push(call)
    const bounds = { signal: controller.signal, retryOf, maxHeldMs: cap ?? undefined }
    const started = async (flight: Flight): Promise<void> => {
      call.settled++
      call.started = true
      this.inFlight.push(flight)
      if (call.isRetry) return
      // Whoever has a slot since before, or was refused one, hears of it within three ticks; run() needs none to begin.
      for (let ticks = 0; ticks < 3; ticks++) await null
      // First come, first served: nobody who came before still waits, but for retries, which have another place.
      const waits = (one: Call): boolean => one.settled === 0 && !one.isRetry && !one.controller.signal.aborted
      const passed = this.calls.filter((one) => waits(one) && one.place < call.place)
      this.#overtaken.push(...passed)
    }
    const refused = (): void => {
      call.settled++
    }
    if (runs) this.#run(bounds, started, refused)
    else this.limiter.acquire(bounds).then((slot) => started({ slot, end: endOf(slot) }), refused)
  }

  #run(bounds: AcquireOptions, started: (flight: Flight) => Promise<void>, refused: () => void): void {
    const run = { begun: false, ended: false, settled: 0 }
    this.#runs.push(run)
    const task = (slot: Slot): Promise<void> =>
      new Promise((resolve, reject) => {
        run.begun = true
        const end = (failed: boolean): void => {
          run.ended = true
          if (failed) reject(new Error('failed'))
          else resolve()
        }
        started({ slot, end })
      })
    const settled = (): void => {
      run.settled++
      run.ended ||= !run.begun // refused
      if (!run.begun) refused()
    }
    this.limiter.run(task, bounds).then(settled, settled)
  }

  #do(one: Exclude<Act, { does: 'pass' | 'tick' }>): unknown {
    switch (one.does) {
      case 'arrive':
      case 'run':
        return this.arrive(one.cap, { runs: one.does === 'run', shares: one.shares })
      case 'retry': {
        const slot = this.ended.splice(one.which % Math.max(1, this.ended.length), 1)[0]
        return slot ? this.arrive(null, { retryOf: slot }) : undefined
      }
      case 'finish':
      case 'fail': {
        const flight = this.inFlight.splice(one.which % Math.max(1, this.inFlight.length), 1)[0]
        flight?.end(one.does === 'fail')
        if (flight) this.ended.push(flight.slot)
        return undefined
      }
      case 'abort':
        return this.waiting[one.which % Math.max(1, this.waiting.length)]?.controller.abort(new Error('left'))
      case 'throttle':
        if (one.retryAfterMs)
          this.#holdEndedMs = Math.max(this.#holdEndedMs, this.#now + Math.min(60_000, one.retryAfterMs))
        return this.limiter.report({ kind: 'throttle', retryAfterMs: one.retryAfterMs })
      case 'measure':
        for (let i = 0; i < one.count; i++) this.limiter.report({ kind: 'success', latencyMs: one.latencyMs })
        return undefined
      case 'jump':
        this.#leastMs = this.#now + one.ms
        return undefined
      case 'dispose':
        return this.limiter.dispose()
      case 'reset':
        return this.limiter.resetBaseline()
      case 'look':
        expect(this.limiter.snapshot()).toEqual(this.limiter.snapshot())
        return undefined
      case 'try': {
        const slot = this.limiter.tryAcquire()
        return slot ? this.inFlight.push({ slot, end: endOf(slot) }) : undefined
      }
    }
  }
}

const endOf =
  (slot: Slot) =>
  (failed: boolean): void => {
    slot.report(failed ? { kind: 'failure' } : { kind: 'success', latencyMs: 100 })
    slot.release()
  }

/** `npm run soak` asks for a million. */
const OPERATIONS = Number(process.env.SLUICE_SOAK_OPERATIONS ?? 20_000)
const PER_RUN = 16 // a little less than there are on average
const timeout = 120_000 + OPERATIONS

test('L13, L16: whatever happens, in whatever order', { timeout }, async () => {
  let operations = 0
  await fc.assert(
    fc.asyncProperty(settings, instants, async (options, all) => {
      const world = new World(options)
      for (const acts of all) await world.instant(acts)
      operations += world.operations
      world.limiter.dispose()
      await world.clock.advance(0)
      expect([world.clock.pending(), world.waiting.length]).toEqual([0, 0])
      expect(world.calls.every(({ settled }) => settled === 1)).toBe(true)
    }),
    { numRuns: Math.ceil(OPERATIONS / PER_RUN) },
  )
  expect(operations).toBeGreaterThan(OPERATIONS)
})

test('L13: nobody starves: when all who are in flight end, all who wait start', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(settings, instants, async (options, all) => {
      const patient = { queueTimeoutMs: 1_000_000_000_000, overdraftMs: 1_000_000_000_000 } // nobody is shed (L20)
      const world = new World({ ...options, ...patient })
      for (const acts of all) await world.instant(acts.filter(({ does }) => does !== 'dispose'))
      const waited = world.waiting
      await world.clock.advance(62_000) // a hold, its second, and as long again for those beside the limit (L10)
      for (let left = world.calls.length; left > 0 && world.waiting.length > 0; left--) {
        for (const { end } of world.inFlight.splice(0)) end(false)
        await world.clock.advance(1)
      }
      expect(waited.every(({ started }) => started)).toBe(true)
      world.limiter.dispose()
    }),
    { numRuns: Math.ceil(OPERATIONS / 70) },
  )
})
