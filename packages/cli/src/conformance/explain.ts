import { explainCase } from '@sluice/conformance'
import type { World } from '../world.js'
import { guarded } from './guarded.js'
import { tablesOf } from './select.js'

/** `sluice conformance explain`. */
export function explain(world: World, id: string, tables: string | undefined): Promise<number> {
  return guarded(world, () => ({ text: explainCase(id, tablesOf(tables)), exitCode: 0 }))
}
