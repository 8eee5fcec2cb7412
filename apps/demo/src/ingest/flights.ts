import { flights } from '@sluice/gateway'
import { OTHERS } from './sources.js'

/** An event, with the columns of its data source. */
export type FlightEvent = Readonly<Record<string, string | number>>

/** The real flights as events, oldest first, by the data source that each goes to. */
export async function flightsBySource(): Promise<ReadonlyMap<string, readonly FlightEvent[]>> {
  const lines = (await flights.load()).split('\n')
  const all = lines.map((line, index): FlightEvent => {
    const flight = JSON.parse(line) as FlightEvent // the gateway's own data set, which it has checked
    return { ...flight, number: index, departure: `${String(flight.departure).replace(' ', 'T')}Z` }
  })
  all.sort((one, other) => (String(one.departure) < String(other.departure) ? -1 : 1))
  return new Map(
    Object.entries(OTHERS).map(([name, airports]) => [name, all.filter(({ origin }) => airports.test(String(origin)))]),
  )
}
