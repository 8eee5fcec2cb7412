import { integerParameter, textParameter } from '../parameter.js'
import type { Pipe } from '../pipe.js'

export const delaysByAirport: Pipe = {
  name: 'delays_by_airport',
  description: 'Flights, late ones, mean and worst delay in minutes for each airport of departure, the latest first.',
  parameters: {
    origin: {
      ...textParameter({ description: 'Only this airport (IATA code, such as ATL).', maxLength: 64 }),
      default: '',
    },
    limit: integerParameter({ description: 'Airports at most.', min: 1, max: 1000, default: '20' }),
  },
  sql: `SELECT origin, count() AS flights, countIf(delay > 0) AS late, round(avg(delay), 2) AS mean_delay,
      max(delay) AS worst_delay
    FROM flights
    WHERE {origin:String} = '' OR origin = {origin:String}
    GROUP BY origin
    ORDER BY mean_delay DESC, origin
    LIMIT {limit:UInt32}`,
}
