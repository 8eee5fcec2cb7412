import type { Scenario } from '../scenario/scenario.js'
import type { ControllerChoice } from './choice.js'
import type { Player } from './played.js'
import { scoreOf } from './score.js'
import type { Tunable } from './tunable.js'

/** The limits that are tried first: those below and above one have twice its distance from the next. */
const COARSE = [64, 32, 16, 8, 4]

/**
 * The best fixed limit in hindsight: a choice that nobody has beforehand, made anew for each scenario. Five limits first,
 * then four at the thirds of the way to those beside the best: nine, as many as are tried of each peer. Of equal scores
 * the one tried first is taken, which restrains least.
 */
export async function bestFixed(
  scenario: Scenario,
  seeds: readonly number[],
  player: Player,
): Promise<ControllerChoice> {
  const choiceOf = (limit: number): ControllerChoice => ({ name: 'fixed', parameters: { limit } })
  const coarse = await scored(COARSE.map(choiceOf), [scenario], seeds, player)
  const about = best(coarse).choice.parameters?.limit ?? 0
  const fine = await scored(between(about).map(choiceOf), [scenario], seeds, player)
  return best([...coarse, ...fine]).choice
}

/** What a peer does best with over all the scenarios: one choice for all of them, as a default would be. */
export async function tuned(
  { name, grid }: Tunable,
  scenarios: readonly Scenario[],
  seeds: readonly number[],
  player: Player,
): Promise<ControllerChoice> {
  const choices = grid.map((parameters) => ({ name, parameters }))
  return best(await scored(choices, scenarios, seeds, player)).choice
}

/** Four limits about one of {@link COARSE}, the highest first. */
export function between(limit: number): readonly number[] {
  const lower = limit === Math.min(...COARSE) ? 1 : limit / 2
  const up = [2 / 3, 1 / 3].map((part) => limit + limit * part)
  return [...up, ...[1 / 3, 2 / 3].map((part) => limit - (limit - lower) * part)].map(Math.round)
}

interface Scored {
  readonly choice: ControllerChoice
  readonly score: number
}

/** All at once: a player has its own queue. */
const scored = (
  choices: readonly ControllerChoice[],
  scenarios: readonly Scenario[],
  seeds: readonly number[],
  player: Player,
): Promise<Scored[]> =>
  Promise.all(
    choices.map(async (choice) => {
      const scores = await Promise.all(scenarios.map((scenario) => meanScore(scenario, choice, seeds, player)))
      return { choice, score: scores.reduce((sum, score) => sum + score, 0) / scores.length }
    }),
  )

async function meanScore(
  scenario: Scenario,
  controller: ControllerChoice,
  seeds: readonly number[],
  player: Player,
): Promise<number> {
  const played = await Promise.all(seeds.map((seed) => player({ scenario, controller, seed })))
  const values = played.map(({ judgement }) => judgement.targets.map(({ value }) => value))
  return scoreOf(scenario, values).score.mean
}

const best = (all: readonly Scored[]): Scored => all.reduce((a, b) => (b.score > a.score ? b : a))
