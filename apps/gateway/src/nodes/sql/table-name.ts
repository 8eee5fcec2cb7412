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
 * hexadecimal digits for each byte, and what is too long is told by hashes.
 * @param namespace `tenant/dataset`
 */
export function databaseOf(namespace: string): string {
  const [tenant, dataset] = partsOf(namespace)
  const [plain, hashed] = prefixesOf(tenant)
  const name = `${plain}${escaped(dataset)}`
  return name.length <= MAX_LENGTH ? name : `${hashed}${hash(dataset)}`
}

/** How the names of all databases of a tenant begin, and those of no other's: no tenant's name has 65 characters. */
export function prefixesOf(tenant: string): readonly [plain: string, hashed: string] {
  return [`s_${escaped(tenant)}__`, `s_h${hash(tenant)}_`]
}

/** @throws TypeError */
export function partsOf(namespace: string): readonly [tenant: string, dataset: string] {
  const [, tenant, dataset] = /^([A-Za-z0-9._-]{1,64})\/([A-Za-z0-9._-]{1,64})$/.exec(namespace) ?? []
  if (tenant !== undefined && dataset !== undefined) return [tenant, dataset]
  throw new TypeError(`"${namespace}" is no namespace: it must be tenant/dataset, A-Z, a-z, 0-9 and ._- only`)
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

function hash(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}
