import type { VirtualClock } from '@sluice/core/testing'
import { camel } from '@sluice/core/words'

export type Json = Readonly<Record<string, unknown>>

/** One machine of the table, ready to be played. */
export interface Machine {
  /** Each action: what it does, and what it answers in the table's words. */
  readonly actions: Readonly<Record<string, (of: Json) => Json | Promise<Json> | undefined>>
  /** What is to be seen after a step. */
  read(of: Json): Json
  /** What it leaves to the process after it. */
  save?(): unknown
}

/** @param saved what a machine before it left at a restart; undefined: there was none */
export type MakeMachine = (config: Json, clock: VirtualClock, saved: unknown) => Machine

/** Options as the package takes them: the table's words in camelCase. */
export const inCamelCase = (config: Json): Json =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [camel(name), value]))

/** One value for all, or one by name. */
export const byName = (value: unknown): number | ((name: string) => number) =>
  typeof value === 'number' ? value : (name) => Number((value as Json)[name])

export const repeat = (times: unknown, act: () => void): void => {
  for (let i = 0; i < Number(times ?? 1); i++) act()
}
