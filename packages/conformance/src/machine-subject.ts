import type { MachineReading } from './table/ingest-table.js'

/** A state machine of ingest protection, as the tables' runner wants it. */
export interface MachineSubject {
  /**
   * Does what a step says. A `watch` is never asked: it comes as `observe` now and after each second, with a `drain` of
   * `amount` before it where rows are written.
   * @param action the name of a step, and `of` what stands under it
   * @returns what the step itself gave, in the table's words
   */
  act(action: string, of: unknown): MachineReading | Promise<MachineReading>
  /** What is to be seen after a step with these arguments. */
  read(of: unknown): MachineReading
  /** What it leaves to the machine after a restart, handed on as JSON. Absent: a restart leaves nothing. */
  save?(): unknown
}
