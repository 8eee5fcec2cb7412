import { OutputError } from '../../output/output-error.js'

/** An answer cannot be shown as it was asked for. */
export class FormatError extends OutputError {
  /** @param written whether it was written as it is */
  constructor(format: string, problem: string, written: boolean, cause?: unknown) {
    super('stdout', 'format', cause)
    this.name = 'FormatError'
    this.message = `--format ${format}: ${problem}; ${written ? 'it was written as it is' : 'the file was left alone'}`
  }
}
