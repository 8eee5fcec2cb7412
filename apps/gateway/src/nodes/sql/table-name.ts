import { createHash } from 'node:crypto'

/** Where the rows of a data source are. Both names are made of `a-z`, `0-9` and `_`. */
export interface TableName {
  readonly database: string
  readonly table: string
}

/** An engine keeps a database in a folder of its name, and names of folders end at 255 bytes. */
const MAX_LENGTH = 160

/**
 * The database of one tenant's data set: `s_acme__default`. Two namespaces never share one, also where names differ in
 * capitals alone and the file system does not tell them apart: whatever is no small letter or digit becomes `_` and two
 * hexadecimal digits for each byte, and what is too long is told by a hash.
 * @param namespace `tenant/dataset`
 */
export function databaseOf(namespace: string): string {
  const parts = /^([A-Za-z0-9._-]{1,64})\/([A-Za-z0-9._-]{1,64})$/.exec(namespace)
  if (!parts)
    throw new TypeError(`"${namespace}" is no namespace: it must be tenant/dataset, A-Z, a-z, 0-9 and ._- only`)
  const name = `s_${escaped(parts[1] ?? '')}__${escaped(parts[2] ?? '')}`
  return name.length <= MAX_LENGTH ? name : `s_h${createHash('sha256').update(namespace).digest('hex')}`
}

/** @param source `tenant/dataset/name` */
export function tableOf(source: string): TableName {
  const parts = /^([^/]+\/[^/]+)\/([a-z][a-z0-9_]{0,63})$/.exec(source)
  if (!parts)
    throw new TypeError(`"${source}" is no data source: it must be tenant/dataset/name, the name a-z, 0-9 and _`)
  return { database: databaseOf(parts[1] ?? ''), table: parts[2] ?? '' }
}

/** As it stands in SQL. */
export function quoted({ database, table }: TableName): string {
  return `\`${database}\`.\`${table}\``
}

function escaped(name: string): string {
  return name.replace(/[^a-z0-9]/g, (it) => `_${it.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
