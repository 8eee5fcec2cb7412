import { controllers, type Entrant, labelOf } from '@sluice/simulator'
import { UsageError } from '../usage-error.js'

const BEST_FIXED = 'best-fixed'

/** All that can be named, in the order in which they are shown. */
export const entrantNames = (): string[] => {
  const names = controllers.map(({ name }) => name)
  const after = names.indexOf('fixed') + 1
  return [...names.slice(0, after), BEST_FIXED, ...names.slice(after)]
}

/**
 * Reads `none,fixed:21,best-fixed`.
 * @param option that they are given with
 * @throws UsageError that names the option, the name and those that there are
 */
export async function entrantsOf(option: string, text: string): Promise<Entrant[]> {
  const names = text.split(',').map((name) => name.trim())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new UsageError(`${option}: ${twice} is given twice`)
  return Promise.all(names.map((name) => entrantOf(option, name)))
}

async function entrantOf(option: string, given: string): Promise<Entrant> {
  if (given === BEST_FIXED) return { kind: 'best fixed' }
  const [name = '', limit] = given.split(':')
  if (name === 'fixed' && limit !== undefined) {
    if (!/^[1-9]\d{0,5}$/.test(limit))
      throw new UsageError(
        `${option}: the limit of fixed must be a whole number of at least 1, as in fixed:21; got ${limit}`,
      )
    return { kind: 'as it is', choice: { name, parameters: { limit: Number(limit) } } }
  }
  if (controllers.some((one) => one.name === given)) return { kind: 'as it is', choice: { name: given } }
  const { nearest } = await import('@sluice/conformance')
  const all = entrantNames()
  const [near] = nearest(given, all, 1)
  throw new UsageError(
    `${option}: there is no controller ${given}; ${near === undefined ? `there are ${all.join(', ')}, and fixed:21` : `did you mean ${near}?`}`,
  )
}

/** The entrant that others are compared with. @throws UsageError where it does not take part */
export function baseOf(given: string | undefined, entrants: readonly Entrant[]): string | null {
  if (given === undefined) return null
  const labels = entrants.map(labelOf)
  if (labels.includes(given)) return given
  throw new UsageError(`--against: ${given} does not take part; there are ${labels.join(', ')}`)
}
