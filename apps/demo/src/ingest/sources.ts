import type { DataSourceDefinition, PipeDefinition } from '@sluice/client'

/** Where flights go: by the first letter of the airport that they leave from, about as many to each. */
export const OTHERS: Readonly<Record<string, RegExp>> = {
  flights_a_to_c: /^[A-C]/,
  flights_d_to_l: /^[D-L]/,
  flights_m_to_o: /^[M-O]/,
  flights_p_to_z: /^[P-Z]/,
}
/** The one that will run away. */
export const RUNAWAY = 'runaway'

/** A partition for each month, as is usual; that of the runaway for each day. Its own plan stops none of them. */
export function definitionOf(name: string, flushMs: number): DataSourceDefinition {
  return {
    description: name === RUNAWAY ? 'Flights, from a sender that goes wrong.' : 'Flights within the United States.',
    columns: [
      { name: 'number', type: 'UInt32', description: 'Names the event.' },
      { name: 'departure', type: 'DateTime' },
      { name: 'delay', type: 'Int16' },
      { name: 'distance', type: 'UInt16' },
      { name: 'origin', type: 'String' },
      { name: 'destination', type: 'String' },
    ],
    partition: { column: 'departure', by: name === RUNAWAY ? 'day' : 'month' },
    order_by: ['origin', 'departure'],
    plan: { flush_interval_ms: flushMs, requests_per_second: 1000, burst: 1000, rows_per_second: 100_000 },
  }
}

/** The name of the pipe that counts what is in the engine. */
export const COUNTS = 'ingested'

/** Rows of each data source, and how many different events they are. */
export function countingPipe(): PipeDefinition {
  const counts = [...Object.keys(OTHERS), RUNAWAY].map(
    (name) => `SELECT '${name}' AS source, count() AS rows, uniqExact(number) AS events FROM ${name}`,
  )
  return { description: 'Rows of each data source that npm start fills.', sql: counts.join(' UNION ALL ') }
}
