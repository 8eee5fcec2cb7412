import type { Pipe } from '../pipe.js'
import { busiestRoutes } from './busiest-routes.js'
import { delayQuantiles } from './delay-quantiles.js'
import { delaysByAirport } from './delays-by-airport.js'
import { flightsPerDay } from './flights-per-day.js'

/** Saved queries over the flights that the gateway brings along. */
export const flightPipes: readonly Pipe[] = Object.freeze([
  flightsPerDay,
  delaysByAirport,
  busiestRoutes,
  delayQuantiles,
])
