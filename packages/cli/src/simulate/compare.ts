import { compare, FIRST_REPORT_SEED, FIRST_TUNING_SEED, playsOf, seedsFrom, tunedEntrants } from '@sluice/simulator'
import { sinkOf } from '../output/sink.js'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'
import { compareJson } from './compare-json.js'
import { compareMarkdown } from './compare-markdown.js'
import { compareText } from './compare-text.js'
import { baseOf, entrantNames, entrantsOf } from './entrants.js'
import type { CompareOptions } from './options.js'
import { readScenario } from './read-scenario.js'
import { packageScenarios } from './scenario-files.js'
import { withPool } from './with-pool.js'

/** A target was missed, and --check asks. */
const MISSED = 1

/**
 * `sluice simulate compare`.
 * @returns 0, or 1 where `--check` is given and a target is missed
 * @throws UsageError where a scenario or an option is at fault, before anything is played
 */
export async function compareCommand(world: World, given: readonly string[], options: CompareOptions): Promise<number> {
  const names = given.length > 0 ? given : packageScenarios().flatMap(({ id, soak }) => (soak ? [] : [id]))
  const scenarios = await Promise.all(names.map((name) => readScenario(name)))
  const ids = scenarios.map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined)
    throw new UsageError(`there are two scenarios ${twice}; compare each once, or give a file another id`)
  const named = await entrantsOf('--controllers', options.controllers ?? entrantNames().join(','))
  const entrants = options.tuned ? [...named, ...tunedEntrants] : named
  const against = baseOf(options.against, entrants)
  const seeds = seedsFrom(FIRST_REPORT_SEED, options.seeds)
  const tuningSeeds = seedsFrom(FIRST_TUNING_SEED, options.tuningSeeds)

  const plays = playsOf({ scenarios, entrants, seeds, tuningSeeds })
  const compared = await withPool(world, plays, (player) =>
    compare({ scenarios, entrants, seeds, tuningSeeds, player }),
  )
  const comparison = { compared, seeds, tuningSeeds, against }
  const show = options.json ? compareJson : options.markdown ? compareMarkdown : compareText
  await sinkOf(world.stdout, 'stdout', world.signal).write(`${show(comparison)}\n`)
  const missed = compared.some(
    ({ scenario, entries }) =>
      !scenario.reportOnly && entries.some(({ score }) => score.targets.some(({ met }) => !met)),
  )
  return options.check && missed ? MISSED : 0
}
