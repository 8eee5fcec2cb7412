const AIRPORTS = ['DFW', 'ORD', 'ATL', 'LAX', 'PHX', 'STL', 'LAS', 'DTW', 'MSP', 'DEN'] as const

const QUERIES: readonly ((turn: number) => string)[] = [
  (turn) => `flights_per_day?from=2001-01-01&to=2001-03-${10 + (turn % 22)}`,
  (turn) => `delays_by_airport?origin=${airport(turn)}`,
  (turn) => `busiest_routes?limit=${5 + turn}`,
  (turn) => `delay_quantiles?origin=${airport(turn)}`,
]

/** What each client asks: `calls` paths below the gateway's URL, its saved queries in turn with other values each time. */
export function workFor(calls: number): readonly string[] {
  return Array.from({ length: calls }, (_, index) => {
    const query = QUERIES[index % QUERIES.length]
    return `/v1/pipes/${query?.(Math.floor(index / QUERIES.length))}`
  })
}

function airport(turn: number): string {
  return AIRPORTS[turn % AIRPORTS.length] ?? ''
}
