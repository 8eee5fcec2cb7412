import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Dataset } from './dataset.js'

const rows = z.array(
  z.object({
    date: z.string().regex(/^\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}$/),
    delay: z.int(),
    distance: z.int().min(0),
    origin: z.string(),
    destination: z.string(),
  }),
)

/**
 * 20 000 flights within the United States from January to March 2001, from the npm package vega-datasets
 * (U.S. Bureau of Transportation Statistics). Delays in minutes, negative when early; distances in miles.
 */
export const flights: Dataset = {
  table: 'flights',
  createSql: `CREATE TABLE flights (
    departure DateTime('UTC'),
    delay Int16,
    distance UInt16,
    origin LowCardinality(String),
    destination LowCardinality(String)
  ) ENGINE = MergeTree ORDER BY (origin, departure)`,
  load: async () => {
    const file = flightsFile()
    const parsed = rows.safeParse(JSON.parse(await readFile(file, 'utf8')))
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      throw new Error(`${file}: ${issue?.path.join('.')} ${issue?.message}; is it vega-datasets 3?`)
    }
    return parsed.data
      .map(({ date, ...rest }) => JSON.stringify({ departure: `${date.replaceAll('/', '-')}:00`, ...rest }))
      .join('\n')
  },
}

/** The package's entry is resolved, wherever it is installed; its data lies beside that. */
export function flightsFile(): string {
  const entry = createRequire(import.meta.url).resolve('vega-datasets')
  return join(dirname(entry), '..', 'data', 'flights-20k.json')
}
