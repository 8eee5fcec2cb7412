const SMOOTH = 0.8
const BETA = 0.7
const SCALE = 0.4
const LOWEST_RATE = 0.5
const LOWEST_CAPACITY = 1

/**
 * How many sends a second are allowed, as the AWS SDKs' adaptive retry mode finds it: free until the first throttle, then
 * 0.7 of what was sent, and back along a cubic curve (after TCP CUBIC) through the rate at which it was throttled.
 * Times in seconds, as published.
 */
export class CubicRate {
  enabled = false
  fillRate = 0
  measuredRate = 0
  #capacity = 0
  #tokens = 0
  #atS = 0
  #bucketS = 0
  #count = 0
  #lastMaxRate = 0
  #throttledAtS = 0

  /** An answer came. @returns the rate from now on */
  update(throttled: boolean, nowS: number): number {
    this.#measure(nowS)
    let calculated: number
    if (throttled) {
      const rate = this.enabled ? Math.min(this.measuredRate, this.fillRate) : this.measuredRate
      this.#lastMaxRate = rate
      this.#throttledAtS = nowS
      calculated = rate * BETA
      this.enabled = true
    } else calculated = cubicRate(this.#lastMaxRate, nowS - this.#throttledAtS)
    this.#setRate(Math.min(calculated, 2 * this.measuredRate), nowS)
    return this.fillRate
  }

  /** Takes a token. @returns seconds until there is one: 0, it has been taken */
  take(nowS: number): number {
    if (!this.enabled) return 0
    this.#refill(nowS)
    this.#tokens -= 1
    return Math.max(0, -this.#tokens / this.fillRate)
  }

  #measure(nowS: number): void {
    const bucketS = Math.floor(nowS * 2) / 2
    this.#count++
    if (bucketS <= this.#bucketS) return
    const rate = this.#count / (bucketS - this.#bucketS)
    this.measuredRate = rate * SMOOTH + this.measuredRate * (1 - SMOOTH)
    this.#count = 0
    this.#bucketS = bucketS
  }

  #setRate(rate: number, nowS: number): void {
    this.#refill(nowS)
    this.fillRate = Math.max(rate, LOWEST_RATE)
    this.#capacity = Math.max(rate, LOWEST_CAPACITY)
    this.#tokens = Math.min(this.#tokens, this.#capacity)
  }

  #refill(nowS: number): void {
    this.#tokens = Math.min(this.#capacity, this.#tokens + (nowS - this.#atS) * this.fillRate)
    this.#atS = nowS
  }
}

/** The curve: sends a second, so long after a throttle. */
export function cubicRate(lastMaxRate: number, sinceThrottleS: number): number {
  const timeWindow = Math.cbrt((lastMaxRate * (1 - BETA)) / SCALE)
  return SCALE * (sinceThrottleS - timeWindow) ** 3 + lastMaxRate
}
