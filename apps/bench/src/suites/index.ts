import type { BenchSuite } from '../suite.js'
import { abortSuite } from './abort.js'
import { burstSuite } from './burst.js'
import { executeSuite } from './execute.js'
import { fetchSuite, getRequestSuite, requestSuite } from './fetch.js'
import { handOffSuite } from './hand-off.js'
import { memorySuite } from './memory.js'
import { monitorSuite } from './monitor.js'

export const suites: readonly BenchSuite[] = [
  executeSuite,
  fetchSuite,
  requestSuite,
  getRequestSuite,
  burstSuite,
  handOffSuite,
  abortSuite,
  monitorSuite,
  memorySuite,
]
