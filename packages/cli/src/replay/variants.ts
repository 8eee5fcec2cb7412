import { type LimitOptions, limitOptions, type Prior, priorOf } from '@sluice/core'
import { UsageError } from '../usage-error.js'
import { flagOf, SETTINGS } from './settings.js'

/** One choice of thresholds. */
export interface Variant {
  /** The values in which it differs from the others: `--backoff-ratio 1.3`; empty where there is only one. */
  readonly name: string
  readonly limit: LimitOptions
  readonly prior: Prior | null
}

/** Each is a replay of its own. */
const MOST = 24

type Fields = Readonly<Record<string, number>>

/**
 * Every combination of the values given.
 * @throws UsageError that names the flag, the value and what is allowed
 */
export function variantsOf(options: Readonly<Record<string, unknown>>): readonly Variant[] {
  let all: readonly Fields[] = [{}]
  const several: string[] = []
  for (const { field } of SETTINGS) {
    const values = options[field] as readonly number[] | undefined // withSettings() reads no other
    if (values === undefined) continue
    if (values.length > 1) several.push(field)
    all = all.flatMap((fields) => values.map((value) => ({ ...fields, [field]: value })))
    if (all.length > MOST)
      throw new UsageError(`${flagOf(field)}: more than ${MOST} combinations; compare fewer values`)
  }
  return all.map((fields) => ({
    name: several.map((field) => `${flagOf(field)} ${shownValue(field, fields[field] ?? 0)}`).join(' '),
    ...checked(fields, options.latency !== false),
  }))
}

function checked({ expectedP90Ms, ...limit }: Fields, latencyControl: boolean): Omit<Variant, 'name'> {
  try {
    const prior = priorOf({ expectedP90Ms }, 0)
    limitOptions({ ...limit, latencyControl })
    return { limit: { ...limit, latencyControl }, prior }
  } catch (error) {
    const { message, field } = error as TypeError & { field: string } // all that the two throw
    throw new UsageError(message.replace(/^\w+: \w+/, flagOf(field)), field)
  }
}

const shownValue = (field: string, value: number): string =>
  /Ms$/.test(field) && field !== 'expectedP90Ms' ? (value % 1000 === 0 ? `${value / 1000}s` : `${value}ms`) : `${value}`
