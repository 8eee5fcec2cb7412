import type { Unit } from './command.js'

/** Latencies that are looked at. */
const FIRST = 1000

/** Looks at the first figures of a trace, and says where their unit may be another. */
export class UnitCheck {
  readonly #isGuess: boolean
  readonly #column: string
  readonly #latencies: number[] = []
  #time: string | null = null

  /** @param isGuess nobody said that latencies are in ms */
  constructor(isGuess: boolean, column: string) {
    this.#isGuess = isGuess
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

  get warnings(): readonly string[] {
    const time = this.#time === null ? [] : [this.#time]
    const latency = this.#isGuess ? this.#ofLatency() : null
    return latency === null ? time : [...time, latency]
  }

  #ofLatency(): string | null {
    if (this.#latencies.length === 0) return null
    const sorted = [...this.#latencies].sort((a, b) => a - b)
    const middle = sorted[sorted.length >> 1] ?? 0
    const asked = (unit: string): string =>
      `half of the first latencies in ${this.#column} are ${middle} or less: they look like ${unit}`
    const remedy = (option: string): string => `--latency-unit ${option} if they are, ms if they are not`
    // Nothing over a network takes a few hundredths of a millisecond, and hardly anything usually takes half a minute.
    if (middle < 10 && sorted.some((one) => !Number.isInteger(one)) && (sorted.at(-1) ?? 0) < 60)
      return `${asked('seconds')}; ${remedy('s')}`
    const more = (unit: string): string => asked(unit).replace('or less', 'or more')
    if (middle >= 20_000_000) return `${more('nanoseconds')}; ${remedy('ns')}`
    if (middle >= 20_000) return `${more('microseconds')}; ${remedy('us')}`
    return null
  }
}
