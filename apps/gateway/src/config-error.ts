/** An option, a file or a flag that cannot be used. The message names where, which field, and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code = 'BAD_CONFIG'

  /**
   * @param source a file name or `options`
   * @param field the path of the field within it, such as `tokens.0.plan`
   * @param problem what is wrong and what would be right
   */
  constructor(
    readonly source: string,
    readonly field: string,
    readonly problem: string,
  ) {
    super(`${source}: ${field} ${problem}`)
  }
}
