import { textParameter } from '../parameter.js'
import type { Pipe } from '../pipe.js'

export const delayQuantiles: Pipe = {
  name: 'delay_quantiles',
  description: 'Median, 90th and 99th percentile of the delay in minutes from one airport; no row when it is unknown.',
  parameters: {
    origin: textParameter({ description: 'Airport of departure (IATA code, such as ATL).', maxLength: 64 }),
  },
  sql: `SELECT count() AS flights, quantileExact(0.5)(delay) AS p50, quantileExact(0.9)(delay) AS p90,
      quantileExact(0.99)(delay) AS p99
    FROM flights
    WHERE origin = {origin:String}
    HAVING flights > 0`,
}
