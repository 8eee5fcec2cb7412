import { type Decision, type DecisionInput, decide } from '@sluice/core'

/** A decision's input but for chance. */
export type Question = Omit<DecisionInput, 'random'> & {
  /** One draw to look at; undefined: all of them. */
  readonly draw?: number | undefined
}

/** What `decide()` answers, over all draws. */
export interface Verdict {
  /** With the lowest draw: the shortest wait. */
  readonly lowest: Decision
  /** With the highest draw below 1: the longest wait, or a bound that it runs into. */
  readonly highest: Decision
}

const HIGHEST_DRAW = 1 - 2 ** -53

export const ask = (question: Question): Verdict => ({
  lowest: decide({ ...question, random: () => question.draw ?? 0 }),
  highest: decide({ ...question, random: () => question.draw ?? HIGHEST_DRAW }),
})

/** Whether two verdicts come to the same, so that what differs between their questions did not matter. */
export const same = (one: Verdict, other: Verdict): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The question without some of the response's headers. */
export const without = (question: Question, ...hidden: string[]): Question => {
  const { failure } = question
  if (failure.kind !== 'status') return question
  const headers = { get: (name: string) => (hidden.includes(name) ? null : failure.headers.get(name)) }
  return { ...question, failure: { ...failure, headers } }
}
