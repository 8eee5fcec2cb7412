import { type Namespace, namespaceKey } from '../ingest/source-key.js'
import type { EngineError } from '../nodes/engine-error.js'
import { isForOperator } from '../nodes/insert-fault.js'
import { databaseOf } from '../nodes/sql/table-name.js'
import { badBody, Refusal } from './refusal.js'

/** What an engine says of a database that it does not have: it makes that of a data set with its first table. */
const UNKNOWN_DATABASE = 81
/** What may have been there when a pipe was saved, or was not looked for: 18.16 looks behind IN when the query runs. */
const LACKS: ReadonlyMap<number | undefined, string> = new Map([
  [46, 'calls a function that its node does not have'],
  [47, 'names a column that its node does not have'],
  [60, 'names a table that its node does not have'],
  [UNKNOWN_DATABASE, 'names a database that its node does not have'],
])

/** What is thrown where an engine does not take SQL that is to be saved: 400 for what its author can mend. */
export function refusedDefinition(error: EngineError, namespace: Namespace): Error {
  if (error.outOfResources || isForOperator(error, databaseOf(namespaceKey(namespace)))) return error
  if (isOwnDatabase(error, namespace)) {
    const remedy = 'has no data source yet; define one first, with PUT /v1/datasources/{name}'
    return badBody([{ parameter: 'sql', message: `is of data set "${namespace.dataset}", which ${remedy}` }])
  }
  // It proposes names like the unknown one, of whoever's tables.
  const [words = ''] = error.message.split(/\n|\s*Maybe you meant/)
  return badBody([{ parameter: 'sql', message: `is refused by the engine: ${words.slice(0, 500).replace(/\.$/, '')}` }])
}

/** What a pipe that was saved lacks on its node, after its name; undefined: the engine failed on something else. */
export function lackOf(error: EngineError, namespace: Namespace): string | undefined {
  if (!isOwnDatabase(error, namespace)) return LACKS.get(error.clickhouseCode)
  return `is of data set "${namespace.dataset}", of which its node has no data source`
}

/** 409: it was saved when less was refused, or its node lacks what another has. */
export function refusedPipe(name: string, fault: string): Refusal {
  return new Refusal({
    status: 409,
    kind: 'pipe-refused',
    title: 'Pipe is refused',
    detail: `The SQL of "${name}" ${fault}. It is kept and does not run; save it with other SQL, or delete it.`,
  })
}

/** Whether an engine means the database of the data set, and not one that SQL names. */
function isOwnDatabase({ clickhouseCode, message }: EngineError, namespace: Namespace): boolean {
  if (clickhouseCode !== UNKNOWN_DATABASE) return false
  return new RegExp(`\\b${databaseOf(namespaceKey(namespace))}\\b`).test(message)
}
