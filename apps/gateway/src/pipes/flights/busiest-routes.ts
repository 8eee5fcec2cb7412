import { integerParameter } from '../parameter.js'
import type { Pipe } from '../pipe.js'

export const busiestRoutes: Pipe = {
  name: 'busiest_routes',
  description: 'The pairs of airports with the most flights, with their distance in miles and mean delay in minutes.',
  parameters: {
    limit: integerParameter({ description: 'Routes at most.', min: 1, max: 1000, default: '10' }),
  },
  sql: `SELECT origin, destination, count() AS flights, max(distance) AS miles, round(avg(delay), 2) AS mean_delay
    FROM flights
    GROUP BY origin, destination
    ORDER BY flights DESC, origin, destination
    LIMIT {limit:UInt32}`,
}
