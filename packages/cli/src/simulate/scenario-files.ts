import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { scenariosFolder } from '@sluice/simulator'

/** A scenario as its file has it. */
export type ScenarioJson = Record<string, unknown> & { readonly id: string; readonly number: number }

/** The scenarios of the package, in the order of their numbers. */
export function packageScenarios(): ScenarioJson[] {
  const folder = scenariosFolder()
  return readdirSync(fileURLToPath(folder))
    .filter((name) => name.endsWith('.json'))
    .map((name): ScenarioJson => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))) // as the schema says: a test holds them to it
    .sort((a, b) => a.number - b.number || (a.id < b.id ? -1 : 1))
}
