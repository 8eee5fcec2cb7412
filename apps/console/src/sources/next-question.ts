import type { DataSourceStatus } from '@sluice/client'

/** When a data source was asked about, in steady ms, and since when it was then as it was. */
export interface Asked {
  readonly atMs: number
  readonly since: string
}

/** What is known, and when it was asked for. */
export interface Standing {
  readonly sources: readonly DataSourceStatus[]
  readonly asked: ReadonlyMap<string, Asked>
  /** The one that is looked at closely. */
  readonly opened: string | null
  /** Whether the token may do there what an owner may; null: not known yet. */
  readonly isOwner: boolean | null
  /** Null: never, of the one that is opened or of all. */
  readonly noticesAtMs: number | null
  /** Whether something has changed since, so that there is a notice. */
  readonly hasNews: boolean
}

/** What to ask next. */
export type Question =
  | { readonly kind: 'source'; readonly name: string }
  | { readonly kind: 'rights'; readonly name: string }
  | { readonly kind: 'notices' }

/** How old answers may be, in ms. */
const OPENED_MS = 2000
const CHANGED_MS = 1000
const TROUBLE_MS = 10_000
const CALM_MS = 60_000
const NOTICES_MS = 30_000

/**
 * What the stream of the status does not carry, the most wanted first: the data source that is opened, notices of what has
 * changed, what has changed, what is in trouble, and rarely the rest.
 *
 * @returns the question, and in how many ms it is due; null: there is nothing to ask
 */
export function nextQuestion(standing: Standing, nowMs: number): { question: Question; inMs: number } | null {
  let best: { question: Question; inMs: number } | null = null
  const consider = (question: Question, dueMs: number): void => {
    const inMs = Math.max(0, dueMs - nowMs)
    if (best === null || inMs < best.inMs) best = { question, inMs } // of those that are due, the first
  }
  const { sources, asked, opened, isOwner, noticesAtMs, hasNews } = standing
  if (sources.length === 0) return null
  const due = (atMs: number | undefined, ms: number): number => (atMs === undefined ? nowMs : atMs + ms)
  if (opened !== null) {
    consider({ kind: 'source', name: opened }, due(asked.get(opened)?.atMs, OPENED_MS))
    if (isOwner === null) consider({ kind: 'rights', name: opened }, nowMs)
  }
  consider({ kind: 'notices' }, due(noticesAtMs ?? undefined, hasNews ? CHANGED_MS : NOTICES_MS))
  const isChanged = ({ name, state_since }: DataSourceStatus) => asked.get(name)?.since !== state_since
  for (const it of sources) if (isChanged(it)) consider(questionOf(it), due(asked.get(it.name)?.atMs, CHANGED_MS))
  for (const it of sources) {
    const ms = it.state === 'flowing' ? CALM_MS : TROUBLE_MS
    consider(questionOf(it), due(asked.get(it.name)?.atMs, ms))
  }
  return best
}

const questionOf = ({ name }: DataSourceStatus): Question => ({ kind: 'source', name })
