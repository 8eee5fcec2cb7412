/** What a token may do: today its quota of requests. */
export interface Plan {
  /** Requests that come back a second; a finite number above 0 (fractions are fine: 0.5 is one every two seconds). */
  readonly ratePerSecond: number
  /** Requests that may be made at once after a rest; a whole number from 1. */
  readonly burst: number
}

/** The plan of tokens that name none: 5 requests a second, 10 at once. */
export const defaultPlan: Plan = Object.freeze({ ratePerSecond: 5, burst: 10 })
