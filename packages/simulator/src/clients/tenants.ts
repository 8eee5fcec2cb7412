import type { World } from '../world/world.js'
import { arrive, type OpenLoad } from './arrivals.js'

/** Whose calls they are: those of `load` come from many, and one more has a load of its own. */
export interface TenantOptions {
  /** How many share `load`, evenly drawn. */
  readonly others: number
  /** The calls of one more, the loud one: tenant 0. */
  readonly loud: OpenLoad
}

/**
 * Lets the loud one's calls come.
 * @param call makes a call of that tenant
 * @returns draws whose the next call of the common load is: 1 … `others`
 */
export function tenantsOf(world: World, options: TenantOptions | null, call: (tenant: number) => void): () => number {
  if (options === null) return () => 0
  arrive(world, options.loud, { name: 'arrivals of the loud one', call: () => call(0) })
  const whose = world.stream('tenants')
  return () => 1 + Math.floor(whose.next() * options.others)
}
