import { isAdmin, isOperator, may, maySee, type Right } from '../auth/scopes.js'
import type { TokenIdentity } from '../auth/token-store.js'
import { shortened } from '../field-fault.js'
import { Refusal } from './refusal.js'

/** @throws Refusal 403 where a token lacks a right to a name, whether there is anything of that name or not */
export function requireRight(token: TokenIdentity, right: Right, name: string): void {
  if (!may(token.scopes, right, name)) throw missing(`${right}:${shortened(name)}`, token)
}

/** @throws Refusal 403 where a token has no right at all to a name */
export function requireSight(token: TokenIdentity, name: string): void {
  if (!maySee(token.scopes, name)) throw missing(`read:${shortened(name)}`, token)
}

/** @throws Refusal 403 */
export function requireAdmin(token: TokenIdentity): void {
  if (!isAdmin(token.scopes)) throw missing('admin', token)
}

/** @throws Refusal 403: what is told of all tenants is for whoever runs the gateway */
export function requireOperator(token: TokenIdentity): void {
  if (!isOperator(token.scopes)) throw missing('operator', token)
}

function missing(scope: string, { scopes }: TokenIdentity): Refusal {
  const has = scopes.length === 0 ? 'none' : scopes.slice(0, 10).join(', ')
  return new Refusal({
    status: 403,
    kind: 'missing-scope',
    title: 'Missing scope',
    detail: `This needs the scope ${scope}; the token has ${has}. Ask an administrator for it.`,
  })
}
