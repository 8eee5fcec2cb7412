import { snake } from '@sluice/core/words'
import { drainRate, type LimitsFace, quota, saturationClock, temporalLimit } from './limits.js'
import type { Json, Machine, MakeMachine, TableClock } from './machine.js'
import { type RouterFace, router } from './router.js'
import { bounds, gatherer, keyedBreaker, notices, type SourcesFace } from './sources.js'

/** The public face that the rows of ingest-scenarios go through: the module `@sluice/ingest`. */
export interface IngestFace extends LimitsFace, SourcesFace, RouterFace {}

/** A machine, as the tables' runner wants it. */
export interface TableMachine {
  /** Does what one step says; answers what the step itself gave. */
  act(action: string, of: unknown): Json
  /** What is to be seen after a step with these arguments. */
  read(of: unknown): Json
  /** What it leaves at a restart. */
  save(): unknown
}

const MACHINES: Readonly<Record<string, MakeMachine<IngestFace>>> = {
  ...{ gatherer, bounds, notices, quota, router },
  keyed_breaker: keyedBreaker,
  saturation_clock: saturationClock,
  drain_rate: drainRate,
  temporal_limit: temporalLimit,
}

/**
 * How the machines of a face are made for the rows of ingest-scenarios: by the name that the table has for each, its
 * config in the table's words, the clock, and what a machine before it left at a restart. What is made is the machine, or
 * the field of the config that was refused.
 */
export const machineOfTable =
  (face: IngestFace) =>
  (name: string, config: Json, clock: TableClock, saved: unknown): TableMachine | { config_error: string } => {
    const make = MACHINES[name]
    if (!make) throw new TypeError(`no machine is called ${name}; there are ${Object.keys(MACHINES).join(', ')}`)
    try {
      return subjectOf(name, make(face, config, clock, saved))
    } catch (error) {
      if (error instanceof TypeError && 'field' in error) return { config_error: snake(String(error.field)) }
      throw error
    }
  }

function subjectOf(name: string, machine: Machine): TableMachine {
  return {
    act(action, of) {
      const act = machine.actions[action]
      if (!act)
        throw new TypeError(`${name} has no step ${action}; there are ${Object.keys(machine.actions).join(', ')}`)
      return act(of as Json) ?? {} // as the table's schema says
    },
    read: (of) => machine.read(Object(of)),
    save: () => machine.save?.() ?? null,
  }
}
