/** The output folder holds something that must not be touched, or cannot be written to. */
export class OutputFolderError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'OutputFolderError'
  }
}
