/** An operation cannot be called with these arguments. Nothing was sent. */
export class ArgumentError extends Error {
  /** The argument's name, as `argumentsOf` gives it; `body`; or the option that is wrong. */
  readonly parameter: string
  /** What was given. Not enumerable: a logger that prints an error's fields prints no argument. */
  declare readonly value: unknown

  constructor(parameter: string, problem: string, value?: unknown) {
    super(`${parameter}: ${problem}`)
    this.name = 'ArgumentError'
    this.parameter = parameter
    Object.defineProperty(this, 'value', { value })
  }
}
