import { KeyedBreaker, type PipelineOptions } from '@sluice/ingest'
import { ConfigError } from '../config-error.js'
import { madeOf, object } from '../option-values.js'

/** Thresholds of the breaker that each data source has (I2). */
export type BreakerOptions = NonNullable<PipelineOptions['breaker']>

/** What a breaker takes and the gateway has of its own. */
const OWN = {
  flushIntervalMs: 'it is that of the plan of each data source',
  random: 'the gateway has its own',
  clock: 'the gateway has its own',
}

/** Before a spool is opened or an engine started, and also where there is no spool. @throws ConfigError */
export function checkBreaker(given: BreakerOptions): BreakerOptions {
  const options = object('breaker', given, '{ holdMs: 60000 }')
  for (const [field, why] of Object.entries(OWN))
    if (field in options) throw new ConfigError('options', `breaker.${field}`, `must be left out: ${why}`)
  madeOf('breaker', () => new KeyedBreaker(options)) // made only to be checked; the pipeline makes its own
  return options
}
