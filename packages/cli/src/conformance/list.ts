import type { World } from '../world.js'
import { guarded } from './guarded.js'
import type { ListOptions } from './options.js'
import { chosenCases, select } from './select.js'

/** `sluice conformance list`. */
export function list(world: World, options: ListOptions): Promise<number> {
  return guarded(world, () => {
    const lines = chosenCases(select(options)).map(({ id, rule, level, needs, name }) =>
      options.json
        ? JSON.stringify({ id, rule, level, needs, name })
        : `${(rule ?? '').padEnd(3)}  ${id}  ${name}${level === 'may' ? ' (may)' : ''}`,
    )
    return { text: lines.join('\n'), exitCode: 0 }
  })
}
