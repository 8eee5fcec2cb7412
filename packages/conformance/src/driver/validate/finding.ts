/** One thing that is wrong with a driver. */
export interface Finding {
  /** `must`: a runner will refuse it. `advice`: it will do, and could be better. */
  level: 'must' | 'advice'
  /** A sentence, and what its process wrote to stderr where that may tell more. */
  says: string
}

/** Ends a check early. */
export class Flaw extends Error {
  readonly level: Finding['level']

  constructor(says: string, level: Finding['level'] = 'must') {
    super(says)
    this.level = level
  }
}
