import type { DataSource, DataSourceStatus } from '@sluice/client'

/** How a data source is doing. `paused` is an owner's doing, and no state of its own. */
export type Condition = DataSourceStatus['state'] | 'paused'

/** The gravest first. */
export const GRAVITY: readonly Condition[] = ['limited', 'delayed', 'paused', 'flowing']

export const WORDS: Readonly<Record<Condition, string>> = {
  limited: 'Limited',
  delayed: 'Delayed',
  paused: 'Paused',
  flowing: 'Flowing',
}

const SENTENCES: Readonly<Record<Condition, string>> = {
  limited: 'It did not keep up for 20 minutes, and takes fewer events until it does.',
  delayed: 'It does not keep up, or its node is gone: its writes wait. Events are still accepted.',
  paused: 'An owner has paused it: nothing is written. Events are still accepted.',
  flowing: 'Events are written as they come.',
}

/** What the status says is newer than what was asked for. */
export function conditionOf({ state }: DataSourceStatus, details: DataSource | undefined): Condition {
  return state === 'flowing' && details?.backlog.paused ? 'paused' : state
}

export const sentenceOf = (condition: Condition): string => SENTENCES[condition]
