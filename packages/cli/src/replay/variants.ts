import { type LimitOptions, limitOptions, type Prior, priorOf } from '@sluice/core'
import { UsageError } from '../usage-error.js'
import { refusalWords } from './refusal-words.js'
import { type Fields, flagOf, SETTINGS, type Value } from './settings.js'

/** One choice of thresholds. */
export interface Variant {
  /** The values in which it differs from the others: `--backoff-ratio 1.3`; empty where there is only one. */
  readonly name: string
  readonly limit: LimitOptions
  readonly prior: Prior | null
  /** Whether a flag set any of it. */
  readonly isOwn: boolean
}

/** Each is a replay of its own. */
const MOST = 24

/** A year: what a window ends with must be a moment, too. */
const LONGEST_WINDOW_MS = 366 * 86_400_000

/** As they were spelt on the command line; a field that is not there was not. */
type Spelt = Readonly<Record<string, string>>

/**
 * Every combination of the values given.
 * @param recorded what holds where no value is given
 * @throws UsageError that names the flag, the value and what is allowed
 */
export function variantsOf(options: Readonly<Record<string, unknown>>, recorded: Fields = {}): readonly Variant[] {
  const shedding = options.shedding === false ? { shedding: false } : {}
  let all: readonly { readonly fields: Fields; readonly spelt: Spelt }[] = [{ fields: recorded, spelt: {} }]
  const several: string[] = []
  for (const { field } of SETTINGS) {
    const values = options[field] as readonly Value[] | undefined // withSettings() reads no other
    if (values === undefined) continue
    if (values.length > 1) several.push(field)
    all = all.flatMap(({ fields, spelt }) =>
      values.map(({ value, text }) => ({ fields: { ...fields, [field]: value }, spelt: { ...spelt, [field]: text } })),
    )
    if (all.length > MOST)
      throw new UsageError(`${flagOf(field)}: more than ${MOST} combinations; compare fewer values`)
  }
  return all.map(({ fields, spelt }) => ({
    name: several.map((field) => `${flagOf(field)} ${spelt[field]}`).join(' '),
    isOwn: Object.keys(spelt).length > 0 || options.latency === false || options.shedding === false,
    ...checked({ ...fittingOf(fields, spelt, recorded), ...shedding }, spelt, options.latency !== false),
  }))
}

/** What was recorded as the default of one controller is no choice for another that has its own default for it. */
function fittingOf(fields: Fields, spelt: Spelt, recorded: Fields): Fields {
  const { controller } = limitOptions()
  const [was = controller, is = controller] = [recorded.controller, fields.controller]
  if (was === is) return fields
  const other: Readonly<Record<string, unknown>> = limitOptions({ controller: is === 'knee' ? 'windowed' : 'knee' })
  const own: Readonly<Record<string, unknown>> = limitOptions({ controller: is === 'knee' ? 'knee' : 'windowed' })
  const isTheirs = (field: string): boolean =>
    !(field in spelt) && field !== 'controller' && fields[field] === other[field] && own[field] !== other[field]
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !isTheirs(field)))
}

function checked(fields: Fields, spelt: Spelt, latencyControl: boolean): Pick<Variant, 'limit' | 'prior'> {
  const { expectedP90Ms, ...limit } = fields as Fields & { readonly expectedP90Ms?: number }
  const gotOf = (field: string, got: string): string =>
    spelt[field] ?? `${got}, ${field in fields ? 'as recorded in the trace' : 'the default'}`
  try {
    const prior = priorOf({ expectedP90Ms }, 0)
    const { windowMs } = limitOptions({ ...limit, latencyControl })
    if (windowMs > LONGEST_WINDOW_MS)
      throw Object.assign(new TypeError(`limit: windowMs must be at most 8784h; got ${windowMs}`), {
        field: 'windowMs',
      })
    return { limit: { ...limit, latencyControl }, prior }
  } catch (error) {
    const { message, field } = error as TypeError & { field: string } // all that is thrown here
    const [must = '', got = ''] = refusalWords(message, flagOf).split('; got ')
    throw new UsageError(`${must.replace(/, or null$/, '')}; got ${gotOf(field, got)}`, field)
  }
}
