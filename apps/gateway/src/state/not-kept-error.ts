/** The disk did not take what was to be kept. What was there before is there still, and holds. */
export class NotKeptError extends Error {
  override readonly name = 'NotKeptError'

  /** @param cause what the file system said */
  constructor(path: string, cause: unknown) {
    super(`${path} cannot be written (${cause instanceof Error ? cause.message : String(cause)})`, { cause })
  }
}
