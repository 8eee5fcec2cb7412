export type { Json, TableClock } from './conformance/machine.js'
export { type IngestFace, machineOfTable, type TableMachine } from './conformance/machine-of-table.js'
