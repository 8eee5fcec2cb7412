/** A table that cannot be replayed. The message has one line a problem, each naming file, case, field and value. */
export class TableError extends Error {
  override readonly name = 'TableError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}
