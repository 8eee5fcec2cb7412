import { databaseOf, partsOf, prefixesOf } from '../sql/table-name.js'

/** Who reads the tables of one tenant in an embedded engine, and nothing else. */
export interface TenantRole {
  /** a-z, 0-9 and `_`. It says nothing of the tenant: an engine may show all of them to each. */
  readonly name: string
  /** How the databases begin that it may read; a-z, 0-9 and `_`. */
  readonly prefixes: readonly string[]
}

/** Where a query runs: whose tables its SQL names without more, and as whom. Both of a-z, 0-9 and `_`. */
export interface Place {
  readonly database: string
  readonly role: string
}

/** A role for each tenant. */
export function tenantRoles(tenants: readonly string[]): ReadonlyMap<string, TenantRole> {
  return new Map(tenants.map((tenant, i) => [tenant, { name: `tenant_${i + 1}`, prefixes: prefixesOf(tenant) }]))
}

/**
 * Where what is asked for a namespace runs.
 * @throws TypeError for a tenant that has no role
 */
export function placeOf(namespace: string, roles: ReadonlyMap<string, TenantRole>): Place {
  const [tenant] = partsOf(namespace)
  const role = roles.get(tenant)?.name
  if (role === undefined) throw new TypeError(`"${tenant}" is not among the tenants that this node was made for`)
  return { database: databaseOf(namespace), role }
}
