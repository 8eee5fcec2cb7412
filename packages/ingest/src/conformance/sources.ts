import type { Bounds } from '../bounds/bounds.js'
import type { KeyedBreaker } from '../breaker/keyed-breaker.js'
import type { Flush, Gatherer } from '../gather/gatherer.js'
import type { Notices, SourceState } from '../notices/notices.js'
import type { retryAfterSeconds } from '../retry-after.js'
import { byName, inCamelCase, type Json, type MakeMachine, repeat } from './machine.js'

/** The part of the public face that has to do with one data source. */
export interface SourcesFace {
  Bounds: typeof Bounds
  Gatherer: typeof Gatherer
  KeyedBreaker: typeof KeyedBreaker
  Notices: typeof Notices
  retryAfterSeconds: typeof retryAfterSeconds
}

const shown = (flushes: Flush<number>[]): Json => ({
  flushes: flushes.map(({ source, partition, rows, bytes }) => ({ source, partition, rows: rows.length, bytes })),
})

export const gatherer: MakeMachine<SourcesFace> = ({ Gatherer }, { flush_interval_ms, ...config }, clock) => {
  const machine = new Gatherer<number>({ ...inCamelCase(config), flushIntervalMs: byName(flush_interval_ms), clock })
  let row = 0
  return {
    actions: {
      add: ({ source, partition, partitions, rows, bytes }) => {
        const names = partitions ? Array.from({ length: Number(partitions) }, (_, i) => `p${i}`) : [String(partition)]
        const events = names.flatMap((name) =>
          Array.from({ length: Number(rows) }, () => ({ partition: name, row: row++, bytes: Number(bytes) })),
        )
        return shown(machine.add(String(source), events))
      },
      due: () => shown(machine.due()),
      flush: ({ source }) => shown(machine.flush(source === undefined ? undefined : String(source))),
    },
    read: () => ({ next_due_ms: machine.nextDueMs }),
  }
}

export const keyedBreaker: MakeMachine<SourcesFace> = (
  face,
  { flush_interval_ms, random, ...config },
  clock,
  saved,
) => {
  const draws = [random].flat().map(Number)
  const draw = (): number => (draws.length > 1 ? draws.shift() : draws[0]) ?? Number.NaN
  const intervals = { flushIntervalMs: byName(flush_interval_ms) }
  const machine = new face.KeyedBreaker({ ...inCamelCase(config), ...intervals, random: draw, clock })
  if (saved) machine.restore(saved as ReturnType<KeyedBreaker['snapshot']>)
  const key = (of: Json): string => String(of.key ?? 'a')
  const names = (count: unknown): string[] => Array.from({ length: Number(count) }, (_, i) => `k${i}`)
  return {
    actions: {
      flush: (of) => void repeat(of.times, () => machine.flushed(key(of), Number(of.took_ms))),
      fail: (of) => void machine.failed(key(of)),
      oldest: (of) => void machine.aged(key(of), Number(of.age_ms)),
      parts: (of) => void machine.parts(key(of), Number(of.active), Number(of.delay_at)),
      ask: ({ ping_ms = 1, ping_baseline_ms = 1, resource_error_ago_ms = null, ...of }) => {
        const number = (value: unknown): number | null => (value === null ? null : Number(value))
        const node = { pingMs: number(ping_ms), pingBaselineMs: number(ping_baseline_ms) }
        return { may_flush: machine.mayFlush(key(of), { ...node, resourceErrorAgoMs: number(resource_error_ago_ms) }) }
      },
      each: ({ count, took_ms, times }) => {
        for (const name of names(count)) repeat(times, () => machine.flushed(name, Number(took_ms)))
        return undefined
      },
      count: ({ count }) => {
        const all = names(count).map((name) => machine.read(name))
        const open = all.filter(({ state }) => state !== 'closed').length
        const baselines = new Set(all.map(({ baselineMs }) => baselineMs))
        const may = names(count).filter((name) => machine.mayFlush(name)).length
        return { open, may_flush_count: may, baseline_ms: baselines.size === 1 ? [...baselines][0] : null }
      },
      look: () => undefined,
    },
    read: (of) => {
      const { state, reason, untilMs, holds, unanswered, baselineMs } = machine.read(key(of))
      const told = { state, reason, until_ms: untilMs, holds, unanswered, baseline_ms: baselineMs }
      return { ...told, saturated: machine.isSaturated(key(of)), size: machine.size }
    },
    save: () => machine.snapshot(),
  }
}

export const bounds: MakeMachine<SourcesFace> = (face, config) => {
  const machine = new face.Bounds(inCamelCase(config))
  const backlog = (of: unknown) => {
    const { bytes, pieces = 0, oldest_ms = 0, drained_per_second } = of as Json
    const figures = { bytes: Number(bytes), pieces: Number(pieces), oldestMs: Number(oldest_ms) }
    return { ...figures, drainedPerSecond: Number(drained_per_second) }
  }
  return {
    actions: {
      judge: ({ bytes, pieces = 0, source, tenant, total }) => {
        const waiting = { source: backlog(source), total: backlog(total) }
        const ofTenant = tenant === undefined ? {} : { tenant: backlog(tenant) }
        const verdict = machine.judge({ bytes: Number(bytes), pieces: Number(pieces) }, { ...waiting, ...ofTenant })
        const { status, bound, retryAfterMs } = verdict
        const seconds = retryAfterMs === null ? {} : { retry_after_s: face.retryAfterSeconds(retryAfterMs) }
        return { status, bound, retry_after_ms: retryAfterMs, ...seconds }
      },
    },
    read: () => ({}),
  }
}

export const notices: MakeMachine<SourcesFace> = ({ Notices }, config, clock) => {
  const machine = new Notices({ ...inCamelCase(config), clock })
  let told = 0
  machine.subscribe(() => told++)
  return {
    actions: {
      set: ({ source, state, reason, for_ms }) => {
        const forMs = for_ms === null ? null : Number(for_ms)
        const notice = machine.set(String(source), state as SourceState, String(reason), forMs)
        if (!notice) return { notice }
        const { atMs, untilMs, ...same } = notice
        return { notice: { ...same, at_ms: atMs, until_ms: untilMs } }
      },
      list: ({ after }) => {
        const { notices: some, isWhole } = machine.list(after === undefined ? undefined : Number(after))
        return { ids: some.map(({ id }) => id), whole: isWhole }
      },
    },
    read: () => ({ told }),
  }
}
