import { isRecord } from '../../read/is-record.js'

/** A document, or a part of it, as it was written. */
export type Raw = { readonly [key: string]: unknown }

/** An operation as it was written, with where it stands. */
export interface RawOperation {
  /** Upper case. */
  readonly method: string
  /** The template. */
  readonly path: string
  readonly pathItem: Raw
  readonly operation: Raw
}

export const METHODS: readonly string[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** The part that a local reference points to; undefined where there is none, or the reference leads elsewhere. */
export function targetOf(raw: Raw, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  let value: unknown = raw
  for (const token of tokensOf(reference)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined
    value = (value as Raw)[token] // an object or an array, and its own key
  }
  return value
}

/** `#/paths/~1items/get` → `paths`, `/items`, `get` (RFC 6901, in a URL fragment). */
export function tokensOf(reference: string): string[] {
  const tokens = reference.slice(1).split('/').slice(1)
  return tokens.map((token) => decoded(token).replaceAll('~1', '/').replaceAll('~0', '~'))
}

const decoded = (token: string): string => {
  try {
    return decodeURIComponent(token)
  } catch {
    return token // a lone % is a part of the name
  }
}

/** The path items, with what they refer to. */
export function pathItemsOf(raw: Raw): [path: string, item: Raw][] {
  return Object.entries(isRecord(raw.paths) ? raw.paths : {}).flatMap(([path, item]): [string, Raw][] => {
    if (!isRecord(item)) return []
    const target = typeof item.$ref === 'string' ? targetOf(raw, item.$ref) : undefined
    return [[path, isRecord(target) ? { ...target, ...item } : item]]
  })
}

/** The operations, in the document's order. */
export const operationsOf = (raw: Raw): RawOperation[] =>
  pathItemsOf(raw).flatMap(([path, pathItem]) =>
    METHODS.flatMap((name): RawOperation[] => {
      const operation = pathItem[name]
      return isRecord(operation) ? [{ method: name.toUpperCase(), path, pathItem, operation }] : []
    }),
  )
