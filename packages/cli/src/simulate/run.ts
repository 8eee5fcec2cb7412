import {
  chooserOf,
  FIRST_REPORT_SEED,
  FIRST_TUNING_SEED,
  labelOf,
  playsOf,
  scoreOf,
  seedsFrom,
} from '@sluice/simulator'
import { sinkOf } from '../output/sink.js'
import { pictureFile } from '../output/svg/picture-file.js'
import type { World } from '../world.js'
import { entrantsOf } from './entrants.js'
import type { RunOptions } from './options.js'
import { isFile, readScenario } from './read-scenario.js'
import { runJson } from './run-json.js'
import { runText } from './run-text.js'
import { checkLines } from './svg/lines.js'
import { withPool } from './with-pool.js'

/** Points of a picture; a terminal has fewer. */
const POINTS = 240

/**
 * `sluice simulate run`.
 * @returns 0
 * @throws UsageError where the scenario or an option is at fault, before anything is played
 */
export async function run(world: World, given: string, options: RunOptions): Promise<number> {
  const scenario = await readScenario(given, options.set)
  const entrants = await entrantsOf('--controller', options.controller)
  if (options.svg !== undefined) checkLines(entrants.length)
  const source = { path: isFile(given) ? given : null, what: 'scenario' }
  const keep = options.svg === undefined ? null : await pictureFile(world, options.svg, source)

  const seeds = options.seed === undefined ? seedsFrom(FIRST_REPORT_SEED, options.seeds ?? 1) : [options.seed]
  const tuningSeeds = seedsFrom(FIRST_TUNING_SEED, options.tuningSeeds)
  const scenarios = [scenario]
  const results = await withPool(world, playsOf({ scenarios, entrants, seeds, tuningSeeds }), (player) =>
    Promise.all(
      entrants.map(async (entrant) => {
        const controller = await chooserOf(entrant, { scenarios, tuningSeeds, player })(scenario)
        const played = await Promise.all(
          seeds.map((seed, at) => player({ scenario, controller, seed, points: at === 0 ? POINTS : 0 })),
        )
        const values = played.map(({ judgement }) => judgement.targets.map(({ value }) => value))
        return {
          ...{ label: labelOf(entrant), choice: controller, score: scoreOf(scenario, values) },
          ...{ phases: played.map(({ judgement }) => judgement.phases), timeline: played[0]?.timeline ?? [] },
        }
      }),
    ),
  )
  if (keep !== null) {
    const { picture } = await import('./svg/picture.js')
    await keep(picture(scenario, seeds, results))
  }
  const text = options.json ? runJson(scenario, seeds, results) : runText(scenario, seeds, results)
  await sinkOf(world.stdout, 'stdout', world.signal).write(`${text}\n`)
  return 0
}
