import { type Scenario, scenarioOf } from '@sluice/simulator'
import { readText } from '../arguments/read-text.js'
import { UsageError } from '../usage-error.js'
import { assign } from './assign.js'
import { packageScenarios, type ScenarioJson } from './scenario-files.js'
import { scenarioProblems } from './scenario-problems.js'

/** Whether a scenario is meant as a file: it is written as one. */
export const isFile = (given: string): boolean => /[./\\]/.test(given)

/**
 * A scenario of the package by its id or its number, or a file of one's own, with what `--set` changes in it.
 * @throws UsageError that names the file or the option, the field, what it is and what is allowed
 */
export async function readScenario(given: string, sets: readonly string[] = []): Promise<Scenario> {
  const json = isFile(given) ? await readFileOf(given) : await ofPackage(given)
  for (const set of sets) assign(json, set)
  if (isFile(given) || sets.length > 0) await check(json, given, sets)
  return scenarioOf(json)
}

async function ofPackage(given: string): Promise<ScenarioJson> {
  const all = packageScenarios()
  const [found, ...more] = all.filter(({ id, number }) => id === given || String(number) === given)
  if (more.length > 0)
    throw new UsageError(
      `there are several scenarios ${given}: ${[found, ...more].map((it) => it?.id).join(', ')}; name one`,
    )
  if (found !== undefined) return found
  const { nearest } = await import('@sluice/conformance')
  const ids = all.map(({ id }) => id)
  const [near] = nearest(given, ids, 1)
  throw new UsageError(
    `there is no scenario ${given}; ${near === undefined ? `there are ${ids.join(', ')}` : `did you mean ${near}?`} A file is written with its ending: ./${given}.json`,
  )
}

async function readFileOf(path: string): Promise<object> {
  const text = await readText('scenario', path)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${(error as SyntaxError).message}`)
  }
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json
  throw new UsageError(`${path} holds no JSON object; begin with one of sluice simulate list --json`)
}

/** All that is wrong at once: who writes a scenario need not ask for one fault after another. */
async function check(json: object, given: string, sets: readonly string[]): Promise<void> {
  const problems = await scenarioProblems(json)
  if (problems.length === 0) return
  const where = sets.length > 0 ? `${given} with ${sets.map((set) => `--set ${set}`).join(' ')}` : given
  throw new UsageError(problems.map((problem) => `${where}: ${problem}`).join('\n'))
}
