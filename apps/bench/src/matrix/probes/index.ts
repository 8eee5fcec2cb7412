import type { Probe } from '../probe.js'
import { conventions } from './conventions.js'
import { endings } from './ending.js'
import { repeating } from './repeating.js'
import { retryAfter } from './retry-after.js'
import { throttled } from './throttled.js'

/** The rows of the matrix, in order. */
export const probes: Probe[] = [...throttled, ...retryAfter, ...repeating, ...endings, ...conventions]
