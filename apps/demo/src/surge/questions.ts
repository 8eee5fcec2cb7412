import { integerParameter, type Pipe } from '@sluice/gateway'
import { jobThreads, lightThreads } from './sizing.js'

const thousands = integerParameter({ description: 'How many numbers, in thousands.', min: 1, max: 4_000_000_000 })

/** What the engine is asked in this act: to compute, for as long as it takes, and nothing else that could be short. */
export function questions(cores: number): readonly Pipe[] {
  return [
    {
      name: 'light',
      description: 'Adds up the hashes of some numbers.',
      parameters: { thousands },
      sql: sum(lightThreads(cores)),
    },
    {
      name: 'job',
      description: 'The same for very many, on all processors: a batch job that the limit is to protect.',
      parameters: { thousands },
      pastLimit: true,
      sql: sum(jobThreads(cores)),
    },
  ]
}

const sum = (threads: number): string =>
  `SELECT sum(cityHash64(number)) AS sum FROM numbers_mt({thousands:UInt32} * 1000) SETTINGS max_threads = ${threads}`
