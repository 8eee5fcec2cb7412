/** What was received could not be written. */
export class OutputError extends Error {
  /** @param name the file, or `stdout` @param code what the system answered with: `ENOSPC` */
  constructor(name: string, code: string, cause: unknown) {
    super(`cannot write to ${name} (${code})`, { cause })
    this.name = 'OutputError'
  }
}
