import type { Controller } from '../controllers/controller.js'
import { oracle } from '../controllers/oracle.js'
import { fixed, knee, none, seed } from '../controllers/ours.js'
import { peers } from '../controllers/peers/peers.js'
import { type Parameters, tunables } from './tunable.js'

/** Which controller, as plain data: it can be sent to a worker and written down. */
export interface ControllerChoice {
  readonly name: string
  /** `limit` of `fixed`; of a peer those that were found by tuning. Default: those it is documented with. */
  readonly parameters?: Parameters | undefined
}

/** The controllers that can be chosen, in the order in which they are shown. */
export const controllers: readonly Controller[] = [none, fixed(), seed, knee, ...peers, oracle]

/** @throws RangeError that names the controllers there are */
export function controllerOf({ name, parameters }: ControllerChoice): Controller {
  const known = controllers.find((it) => it.name === name)
  if (known === undefined)
    throw new RangeError(`there is no controller ${name}; there are ${controllers.map((it) => it.name).join(', ')}`)
  if (parameters === undefined) return known
  if (name === 'fixed') return fixed(parameters.limit)
  const tunable = tunables.find((it) => it.name === name)
  if (tunable === undefined) throw new RangeError(`${name} has no parameters to set`)
  return { ...known, create: (setting) => tunable.create(setting, parameters) }
}
