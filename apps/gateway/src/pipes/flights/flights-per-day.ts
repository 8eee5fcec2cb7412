import { dateParameter } from '../parameter.js'
import type { Pipe } from '../pipe.js'

export const flightsPerDay: Pipe = {
  name: 'flights_per_day',
  description: 'Flights and their mean delay in minutes for each day of a range (both ends included).',
  parameters: {
    from: dateParameter({ description: 'First day, in UTC.', default: '2001-01-01' }),
    to: dateParameter({ description: 'Last day, in UTC.', default: '2001-03-31' }),
  },
  check: ({ from = '', to = '' }) =>
    from <= to ? undefined : { parameter: 'from', value: from, message: `is after to "${to}"; send an earlier day` },
  sql: `SELECT toDate(departure) AS day, count() AS flights, round(avg(delay), 2) AS mean_delay
    FROM flights
    WHERE toDate(departure) >= {from:Date} AND toDate(departure) <= {to:Date}
    GROUP BY day
    ORDER BY day`,
}
