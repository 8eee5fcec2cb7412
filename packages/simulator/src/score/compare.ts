import type { Scenario } from '../scenario/scenario.js'
import { type ControllerChoice, controllerOf } from './choice.js'
import type { Player } from './played.js'
import { type Score, scoreOf } from './score.js'
import { bestFixed, tuned } from './search.js'
import { type Tunable, tunables } from './tunable.js'

/** Who takes part in a comparison: a controller as it is, or the outcome of a search over the tuning seeds. */
export type Entrant =
  | { readonly kind: 'as it is'; readonly choice: ControllerChoice }
  /** Found anew for each scenario. */
  | { readonly kind: 'best fixed' }
  /** Found once, for all scenarios that are compared. */
  | { readonly kind: 'tuned'; readonly tunable: Tunable }

/** What is to be compared. */
export interface CompareRequest {
  readonly scenarios: readonly Scenario[]
  readonly entrants: readonly Entrant[]
  /** On which results are reported. */
  readonly seeds: readonly number[]
  /** On which a search looks. */
  readonly tuningSeeds: readonly number[]
  readonly player: Player
}

/** What one entrant reached in one scenario. */
export interface Entry {
  /** As it is shown: `aimd (tuned)`. */
  readonly label: string
  /** What was played. */
  readonly choice: ControllerChoice
  readonly score: Score
}

/** All entrants in one scenario, in the order in which they were asked for. */
export interface Compared {
  readonly scenario: Scenario
  readonly entries: readonly Entry[]
}

/** @throws RangeError for a controller that there is not, before anything is played */
export async function compare({ entrants, ...request }: CompareRequest): Promise<Compared[]> {
  for (const entrant of entrants) if (entrant.kind === 'as it is') controllerOf(entrant.choice)
  const found = entrants.map((entrant) => ({ label: labelOf(entrant), choiceIn: chooserOf(entrant, request) }))
  const { scenarios, seeds, player } = request
  return Promise.all(
    scenarios.map(async (scenario) => ({
      scenario,
      entries: await Promise.all(
        found.map(async ({ label, choiceIn }) => {
          const choice = await choiceIn(scenario)
          const played = await Promise.all(seeds.map((seed) => player({ scenario, controller: choice, seed })))
          const values = played.map(({ judgement }) => judgement.targets.map(({ value }) => value))
          return { label, choice, score: scoreOf(scenario, values) }
        }),
      ),
    })),
  )
}

/** How many plays a comparison is: each search tries nine. */
export const playsOf = ({ scenarios, entrants, seeds, tuningSeeds }: Omit<CompareRequest, 'player'>): number =>
  entrants.reduce(
    (sum, { kind }) => sum + scenarios.length * (seeds.length + (kind === 'as it is' ? 0 : 9 * tuningSeeds.length)),
    0,
  )

/** Every peer that can be tuned. */
export const tunedEntrants: readonly Entrant[] = tunables.map((tunable) => ({ kind: 'tuned', tunable }))

/** As it is shown: `aimd (tuned)`. */
export function labelOf(entrant: Entrant): string {
  if (entrant.kind === 'best fixed') return 'best-fixed'
  if (entrant.kind === 'tuned') return `${entrant.tunable.name} (tuned)`
  return choiceLabel(entrant.choice)
}

/** `fixed:21`, `seed`. */
export const choiceLabel = ({ name, parameters }: ControllerChoice): string =>
  name === 'fixed' && parameters?.limit !== undefined ? `fixed:${parameters.limit}` : name

/** Finds what an entrant plays in one scenario; of a tuned peer the search begins at once. */
export function chooserOf(
  entrant: Entrant,
  { scenarios, tuningSeeds, player }: Pick<CompareRequest, 'scenarios' | 'tuningSeeds' | 'player'>,
): (scenario: Scenario) => Promise<ControllerChoice> {
  if (entrant.kind === 'as it is') return async () => entrant.choice
  if (entrant.kind === 'best fixed') return (scenario) => bestFixed(scenario, tuningSeeds, player)
  const choice = tuned(entrant.tunable, scenarios, tuningSeeds, player)
  return () => choice
}
