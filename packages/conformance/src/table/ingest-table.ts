import type { CaseHead, TableHead } from './table.js'

/** Settings of one machine in the tables' words: snake_case, times in milliseconds. */
export type MachineConfig = Readonly<Record<string, unknown>>

/** What happens to a state machine of ingest protection over time (I1–I8). The clock stands at 0 when it is made. */
export interface IngestScenario extends CaseHead {
  /** Which one: `gatherer`, `keyed_breaker`, … */
  machine: string
  config?: MachineConfig
  /** A machine has none: it has a config. */
  policy?: never
  /** The field of the config that is refused (R17): then there are no steps. */
  config_error?: string
  steps: readonly MachineStep[]
}

export interface IngestTable extends TableHead {
  suite: 'ingest-scenarios'
  /** The defaults of each machine. */
  config: Readonly<Record<string, MachineConfig>>
  cases: readonly IngestScenario[]
}

/** One thing that is done, by its name, and what is then to be seen. */
export interface MachineStep {
  readonly expect?: MachineReading
  readonly [action: string]: unknown
}

/** What is to be seen of a machine after one step, and what the step itself gave. */
export type MachineReading = Readonly<Record<string, unknown>>
