/** What was asked for cannot be done: exit code 2, nothing was sent and nothing is served. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
