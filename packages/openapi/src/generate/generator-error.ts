/** One of the two generators refused the document, or failed on it. Nothing was written. */
export class GeneratorError extends Error {
  /** Its package: `openapi-typescript` or `@hey-api/openapi-ts`. */
  readonly generator: string

  constructor(generator: string, problem: string) {
    super(`${generator} could not generate from this document: ${problem}`)
    this.name = 'GeneratorError'
    this.generator = generator
  }
}
