import type { GcraLimit } from './gcra.js'

/** What a token may do: today its quota of requests. */
export interface Plan extends GcraLimit {}

/** The plan of tokens that name none: 5 requests a second, 10 at once. */
export const defaultPlan: Plan = Object.freeze({ ratePerSecond: 5, burst: 10 })
