/** The command line asks for something that cannot be done: exit code 2, nothing was sent. */
export class UsageError extends Error {
  /** The policy field that was refused, in the tables' words; undefined where it is about something else. */
  readonly field: string | undefined

  constructor(message: string, field?: string) {
    super(message)
    this.name = 'UsageError'
    this.field = field
  }
}
