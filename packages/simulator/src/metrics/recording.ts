import type { EndedCall } from '../clients/client.js'
import { Column } from './column.js'

/** What was seen in one second of the world. */
export interface Second {
  readonly limit: number
  readonly inFlight: number
  readonly queued: number
  /** In the server, batch jobs not counted. */
  readonly inside: number
  /** Core-µs used since the beginning. */
  readonly busyCoreUs: number
  readonly cores: number
}

/** Everything that happened in a world and that somebody may want to know. */
export class Recording {
  /** One value a call, in the order in which they ended. */
  readonly arrivedMs: Column = new Column()
  readonly tookMs: Column = new Column()
  readonly ok: Column = new Column()
  readonly delayed: Column = new Column()
  readonly tenant: Column = new Column()
  /** One value an attempt, of its send. */
  readonly sentAtMs: Column = new Column()
  /** One value an attempt that was refused with 429, of its answer. */
  readonly throttledAtMs: Column = new Column()
  /** One value an attempt that was given up, of the end of the work that nobody waited for. */
  readonly wastedAtMs: Column = new Column()
  readonly wastedWorkMs: Column = new Column()
  /** One value a batch job. */
  readonly jobStartedMs: Column = new Column()
  readonly jobTookMs: Column = new Column()
  readonly jobWorkMs: Column = new Column()
  /** One value a second, of its end. */
  readonly limit: Column = new Column()
  readonly inFlight: Column = new Column()
  readonly queued: Column = new Column()
  readonly inside: Column = new Column()
  /** Share of the cores that was in use in that second. */
  readonly busy: Column = new Column()
  #busyCoreUs = 0

  call({ arrivedMs, endedMs, ok, delayed, tenant }: EndedCall): void {
    this.arrivedMs.push(arrivedMs)
    this.tookMs.push(endedMs - arrivedMs)
    this.ok.push(ok ? 1 : 0)
    this.delayed.push(delayed ? 1 : 0)
    this.tenant.push(tenant)
  }

  sent(atMs: number): void {
    this.sentAtMs.push(atMs)
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

  second({ limit, inFlight, queued, inside, busyCoreUs, cores }: Second): void {
    this.limit.push(limit)
    this.inFlight.push(inFlight)
    this.queued.push(queued)
    this.inside.push(inside)
    this.busy.push((busyCoreUs - this.#busyCoreUs) / (cores * 1e6))
    this.#busyCoreUs = busyCoreUs
  }
}
