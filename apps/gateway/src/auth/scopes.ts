/** What a token may do with the data sources and pipes of a name. `owner` may what `write` and `read` may. */
export type Right = 'read' | 'write' | 'owner'

/**
 * `admin` may everything within its tenant, and `operator` reads what is told of all tenants. Of the others, NAME is a data
 * source or a pipe, or `*` for all of them.
 */
export type Scope = 'admin' | 'operator' | `${Right}:${string}`

/** A scope as it is written. */
export const SCOPE: RegExp = /^(admin|operator|(owner|write|read):(\*|[a-z][a-z0-9_]{0,63}))$/

/** What tokens have that name none: they ask, and change nothing. */
export const DEFAULT_SCOPES: readonly Scope[] = Object.freeze(['read:*' as const])

const INCLUDES: Readonly<Record<Right, readonly Right[]>> = {
  read: ['read', 'owner'],
  write: ['write', 'owner'],
  owner: ['owner'],
}

/** Whether scopes hold a right to a name. */
export function may(scopes: readonly Scope[], right: Right, name: string): boolean {
  return scopes.some((scope) => {
    if (scope === 'admin') return true
    const [has, of] = scope.split(':')
    return (of === name || of === '*') && INCLUDES[right].some((it) => it === has)
  })
}

/** Whether scopes hold any right to a name: enough to know that it is there. */
export function maySee(scopes: readonly Scope[], name: string): boolean {
  return may(scopes, 'read', name) || may(scopes, 'write', name)
}

/** Whether scopes hold `admin`. */
export function isAdmin(scopes: readonly Scope[]): boolean {
  return scopes.includes('admin')
}

/** Whether scopes hold `operator`. */
export function isOperator(scopes: readonly Scope[]): boolean {
  return scopes.includes('operator')
}
