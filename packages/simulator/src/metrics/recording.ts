import { Column } from './column.js'

/** What was seen in one second of the world. Of several processes: of all together. */
export interface Second {
  readonly limit: number
  readonly inFlight: number
  readonly queued: number
  /** Whether the controller says that it does not know what is ordinary; undefined: it says nothing of the kind. */
  readonly unknown: boolean | undefined
  /** In the server, batch jobs not counted. */
  readonly inside: number
  /** Core-µs used since the beginning. */
  readonly busyCoreUs: number
  readonly cores: number
}

/** Everything that happened in a world and that somebody may want to know. */
export class Recording {
  /** One value a call, in the order in which they came. Of one that had not ended when the world did: NaN, and not ok. */
  readonly arrivedMs: Column = Column.of()
  readonly tookMs: Column = Column.of()
  readonly ok: Column = Column.of()
  /** Whether it found no free slot when it came. */
  readonly delayed: Column<Uint8Array<ArrayBuffer>> = Column.ofBytes()
  readonly tenant: Column<Uint8Array<ArrayBuffer>> = Column.ofBytes()
  /** One value an attempt that was refused with 429, of its answer. */
  readonly throttledAtMs: Column = Column.of()
  /** One value an attempt that was given up, of the end of the work that nobody waited for. */
  readonly wastedAtMs: Column = Column.of()
  readonly wastedWorkMs: Column = Column.of()
  /** One value a batch job. */
  readonly jobStartedMs: Column = Column.of()
  readonly jobTookMs: Column = Column.of()
  readonly jobWorkMs: Column = Column.of()
  /** One value a second, of its end. */
  readonly limit: Column = Column.of()
  readonly inFlight: Column = Column.of()
  readonly queued: Column = Column.of()
  /** 1: the controller says that it does not know what is ordinary; NaN: it says nothing of the kind. */
  readonly unknown: Column = Column.of()
  readonly inside: Column = Column.of()
  readonly cores: Column = Column.of()
  /** Share of the cores that was in use in that second. */
  readonly busy: Column = Column.of()
  /** Attempts that were sent in that second. */
  readonly sent: Column = Column.of()
  #busyCoreUs = 0
  #sent = 0

  /** A call came. Latency counts from here. @returns its number, for {@link ended} */
  came(atMs: number, tenant: number): number {
    this.arrivedMs.push(atMs)
    this.tookMs.push(Number.NaN)
    this.ok.push(0)
    this.delayed.push(0)
    this.tenant.push(tenant)
    return this.arrivedMs.length - 1
  }

  ended(call: number, atMs: number, { ok, delayed }: { ok: boolean; delayed: boolean }): void {
    this.tookMs.set(call, atMs - this.arrivedMs.at(call))
    this.ok.set(call, ok ? 1 : 0)
    this.delayed.set(call, delayed ? 1 : 0)
  }

  /** An attempt was sent. */
  attempt(): void {
    this.#sent++
  }

  answered(answer: 'ok' | 'throttled' | 'failed' | 'wasted', atMs: number, workMs: number): void {
    if (answer === 'throttled') this.throttledAtMs.push(atMs)
    if (answer !== 'wasted') return
    this.wastedAtMs.push(atMs)
    this.wastedWorkMs.push(workMs)
  }

  job({ startedMs, endedMs, workMs }: { startedMs: number; endedMs: number; workMs: number }): void {
    this.jobStartedMs.push(startedMs)
    this.jobTookMs.push(endedMs - startedMs)
    this.jobWorkMs.push(workMs)
  }

  second({ limit, inFlight, queued, unknown, inside, busyCoreUs, cores }: Second): void {
    this.limit.push(limit)
    this.inFlight.push(inFlight)
    this.queued.push(queued)
    this.unknown.push(unknown === undefined ? Number.NaN : Number(unknown))
    this.inside.push(inside)
    this.cores.push(cores)
    this.busy.push(cores === 0 ? 1 : (busyCoreUs - this.#busyCoreUs) / (cores * 1e6))
    this.#busyCoreUs = busyCoreUs
    this.sent.push(this.#sent)
    this.#sent = 0
  }
}
