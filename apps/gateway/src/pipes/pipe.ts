import type { ParameterIssue } from './check-parameters.js'
import type { PipeParameter } from './parameter.js'

/** A saved query. Whoever runs the gateway writes the SQL; callers give values for its parameters and nothing else. */
export interface Pipe {
  /** Its place in the URL: a-z, 0-9, `_`. */
  readonly name: string
  readonly description: string
  /** One SELECT with a placeholder `{name:Type}` for every parameter. No FORMAT: the gateway adds its own. */
  readonly sql: string
  readonly parameters: Readonly<Record<string, PipeParameter>>
  /**
   * Its queries need no slot of the adaptive limit and are no samples of it: for what must run however the engine is, such
   * as a batch job that the limit is there to protect. Default false.
   */
  readonly pastLimit?: boolean
  /** What must hold between parameters. Returns the issue, or undefined when all is well. */
  readonly check?: (values: Readonly<Record<string, string>>) => ParameterIssue | undefined
}
