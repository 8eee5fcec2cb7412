import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Load } from '../src/clients/load.js'
import type { Scenario } from '../src/scenario/scenario.js'
import { scenarioOf } from '../src/scenario/scenario-of.js'

const folder = new URL('../scenarios/', import.meta.url)

/** The files of all scenarios. */
export const files: readonly string[] = readdirSync(fileURLToPath(folder))

export const read = (file: string): object => JSON.parse(readFileSync(new URL(file, folder), 'utf8'))

/** The scenario with this id. */
export const named = (id: string): Scenario =>
  scenarioOf(read(files.find((file) => file.slice('00-'.length) === `${id}.json`) ?? id))

/** A part of a scenario: it begins so much later, and is over after so long. */
export function sooner(scenario: Scenario, byS: number, durationS: number): Scenario {
  const { load, tenants = null, neighbour = null, faults, phases } = scenario
  const moved = (atS: number) => Math.max(0, Math.min(durationS, atS - byS))
  const movedLoad = <Kind extends Load>(it: Kind): Kind =>
    'points' in it ? { ...it, points: it.points.map((point) => ({ ...point, atS: moved(point.atS) })) } : it
  return {
    ...scenario,
    durationS,
    load: movedLoad(load),
    tenants: tenants && { ...tenants, loud: movedLoad(tenants.loud) },
    neighbour: neighbour && { ...neighbour, load: movedLoad(neighbour.load) },
    faults: faults.filter(({ atS }) => atS - byS < durationS).map((it) => ({ ...it, atS: moved(it.atS) })),
    phases: Object.fromEntries(
      Object.entries(phases).map(([name, { fromS, toS }]) => [name, { fromS: moved(fromS), toS: moved(toS) }]),
    ),
  }
}
