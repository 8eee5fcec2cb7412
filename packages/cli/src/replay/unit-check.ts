import type { Unit } from './command.js'

/** Latencies that are looked at. */
const FIRST = 1000

/**
 * What says that latencies are in ms: nothing but the default, or the column's name, which people also give to what they
 * export in other units. Null: somebody who is not to be doubted says what they are in.
 */
export type LatencyDoubt = 'default' | 'name' | null

/** @param option what an option says @param suffix what the column's name says */
export function doubtOf(option: Unit | undefined, suffix: Unit | undefined): LatencyDoubt {
  if (option !== undefined || (suffix !== undefined && suffix !== 'ms')) return null
  return suffix === 'ms' ? 'name' : 'default'
}

/** Looks at the first figures of a trace, and says where their unit may be another. */
export class UnitCheck {
  readonly #doubt: LatencyDoubt
  readonly #column: string
  readonly #latencies: number[] = []
  #time: string | null = null

  constructor(doubt: LatencyDoubt, column: string) {
    this.#doubt = doubt
    this.#column = column
  }

  latency(ms: number): void {
    if (this.#latencies.length < FIRST) this.#latencies.push(ms)
  }

  /** The first time, and what its unit was taken for. */
  time(figure: number, unit: Unit): void {
    if (unit === 's' && figure < 1e8)
      this.#time = `${figure} is taken for seconds since 1970; give --time-unit ms if it is milliseconds`
  }

  /** Whether times may be ms that were taken for seconds: then there are a thousand times as many windows. */
  get doubtsTime(): boolean {
    return this.#time !== null
  }

  get warnings(): readonly string[] {
    const time = this.#time === null ? [] : [this.#time]
    const latency = this.#doubt === null ? null : this.#ofLatency()
    return latency === null ? time : [...time, latency]
  }

  #ofLatency(): string | null {
    if (this.#latencies.length === 0) return null
    const sorted = [...this.#latencies].sort((a, b) => a - b)
    const middle = sorted[sorted.length >> 1] ?? 0
    const isNamed = this.#doubt === 'name'
    const against = isNamed ? ', though its name says ms' : ''
    const asked = (unit: string): string =>
      `half of the first latencies in ${this.#column} are ${middle} or less: they look like ${unit}${against}`
    const remedy = (option: string): string => `--latency-unit ${option} if they are, ms if they are not`
    // Nothing over a network takes a few hundredths of a millisecond, and hardly anything usually takes half a minute.
    // A fast server takes 3.2 ms, and where the name says so it is believed; a tenth of one, hardly.
    if (middle < (isNamed ? 1 : 10) && sorted.some((one) => !Number.isInteger(one)) && (sorted.at(-1) ?? 0) < 60)
      return `${asked('seconds')}; ${remedy('s')}`
    const more = (unit: string): string => asked(unit).replace('or less', 'or more')
    if (middle >= 20_000_000) return `${more('nanoseconds')}; ${remedy('ns')}`
    if (middle >= 20_000) return `${more('microseconds')}; ${remedy('us')}`
    return null
  }
}
