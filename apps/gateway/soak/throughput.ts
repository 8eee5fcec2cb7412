import { acknowledged } from './acknowledged.js'
import { counted } from './counted.js'
import { memory } from './memory.js'
import { names } from './names.js'
import { type RatesOptions, rates } from './rates.js'
import type { Report } from './report.js'

/** How much of each there is. */
export interface ThroughputOptions extends RatesOptions {
  /** Small batches whose acknowledgement is timed. */
  readonly requests: number
  /** Rows that are sent with `wait=true`; a multiple of 1000. */
  readonly rows: number
  /** Of steady load, while memory is watched. */
  readonly seconds: number
  /** Of data sources that there are not. */
  readonly names: number
}

/** How many rows a second go through, how soon they are acknowledged, and that nothing grows with them. */
export async function throughput(report: Report, options: ThroughputOptions): Promise<void> {
  await rates(report, options)
  await acknowledged(report, options.requests)
  await counted(report, options.rows)
  await names(report, options.names)
  await memory(report, options.seconds)
}
