/** The engine could not be started. `ENGINE_MISSING`: chdb is not installed here. `ENGINE_FAILED`: it is, and failed. */
export class EngineStartError extends Error {
  override readonly name = 'EngineStartError'

  constructor(
    readonly code: 'ENGINE_MISSING' | 'ENGINE_FAILED',
    message: string,
  ) {
    super(message)
  }
}
