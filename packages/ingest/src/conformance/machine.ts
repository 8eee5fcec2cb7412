import type { Clock } from '@sluice/core'
import { camel } from '@sluice/core/words'

export type Json = Readonly<Record<string, unknown>>

/** One machine of the table, ready to be played. */
export interface Machine {
  /** Each action: what it does, and what it answers in the table's words. */
  readonly actions: Readonly<Record<string, (of: Json) => Json | undefined>>
  /** What is to be seen after a step. */
  read(of: Json): Json
  /** What it leaves to the process after it. */
  save?(): unknown
}

/** The time that a machine of a table has. */
export type TableClock = Pick<Clock, 'now' | 'wallNow'>

/** @param saved what a machine before it left at a restart; undefined: there was none */
export type MakeMachine<Face> = (face: Face, config: Json, clock: TableClock, saved: unknown) => Machine

/** Options as the package takes them: the table's words in camelCase. */
export const inCamelCase = (config: Json): Json =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [camel(name), value]))

/** One value for all, or one by name. */
export const byName = (value: unknown): number | ((name: string) => number) =>
  typeof value === 'object' && value !== null ? (name) => (value as Json)[name] as number : (value as number)

export const repeat = (times: unknown, act: () => void): void => {
  for (let i = 0; i < Number(times ?? 1); i++) act()
}
