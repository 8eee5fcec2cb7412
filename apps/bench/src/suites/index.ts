import type { BenchSuite } from '../suite.js'
import { executeSuite } from './execute.js'
import { fetchSuite, getRequestSuite, requestSuite } from './fetch.js'

export const suites: readonly BenchSuite[] = [executeSuite, fetchSuite, requestSuite, getRequestSuite]
