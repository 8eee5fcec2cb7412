import { isRecord } from '../read/is-record.js'

/** How the parts of a value are written and joined. */
export interface Serialization {
  readonly style: 'matrix' | 'label' | 'simple' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'
  readonly explode: boolean
  readonly encode: (text: string) => string
  /** Between two fields: `&` in a query, `; ` in a cookie. */
  readonly separator: string
}

/** A list or an object that holds nothing is not written at all (RFC 6570, 3.2.1): null. */
export function serialize(name: string, value: unknown, how: Serialization): string | null {
  if (Array.isArray(value)) return value.length === 0 ? null : list(name, value, how)
  if (!isRecord(value) || value instanceof Date) return scalar(name, textOf(value), how)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return members.length === 0 ? null : object(name, members, how)
}

/** Inside of lists and objects the specification leaves structures open: they are written as JSON. */
export const textOf = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

const DELIMITERS = { spaceDelimited: '%20', pipeDelimited: '%7C' } as const

function scalar(name: string, text: string, { style, encode }: Serialization): string {
  const value = encode(text)
  if (style === 'simple') return value
  if (style === 'label') return `.${value}`
  if (style === 'matrix') return text === '' ? `;${encode(name)}` : `;${encode(name)}=${value}`
  return `${encode(name)}=${value}`
}

function list(name: string, items: readonly unknown[], { style, explode, encode, separator }: Serialization): string {
  const key = encode(name)
  if (style === 'deepObject') return deep(name, items).map(pair(encode)).join(separator)
  const values = items.map((item) => encode(textOf(item)))
  switch (style) {
    case 'simple':
      return values.join(',')
    case 'label':
      return `.${values.join(explode ? '.' : ',')}`
    case 'matrix':
      return explode ? values.map((value) => `;${key}=${value}`).join('') : `;${key}=${values.join(',')}`
    default:
      if (explode) return values.map((value) => `${key}=${value}`).join(separator)
      return `${key}=${values.join(style === 'form' ? ',' : DELIMITERS[style])}`
  }
}

function object(
  name: string,
  members: readonly (readonly [string, unknown])[],
  { style, explode, encode, separator }: Serialization,
): string {
  const key = encode(name)
  if (style === 'deepObject') return deep(name, Object.fromEntries(members)).map(pair(encode)).join(separator)
  const pairs = members.map(([member, value]) => [encode(member), encode(textOf(value))] as const)
  const exploded = pairs.map(([member, value]) => `${member}=${value}`)
  const flat = pairs.flat()
  switch (style) {
    case 'simple':
      return (explode ? exploded : flat).join(',')
    case 'label':
      return `.${explode ? exploded.join('.') : flat.join(',')}`
    case 'matrix':
      return explode ? exploded.map((one) => `;${one}`).join('') : `;${key}=${flat.join(',')}`
    case 'form':
      return explode ? exploded.join(separator) : `${key}=${flat.join(',')}`
    default:
      return `${key}=${flat.join(DELIMITERS[style])}`
  }
}

const pair =
  (encode: (text: string) => string) =>
  ([key, value]: readonly [string, string]): string =>
    `${encode(key)}=${encode(value)}`

/**
 * `deepObject` beyond one level, and lists in it, are not specified. This is what most servers read: `a[b][c]=1`,
 * `a[b][]=1`, and `a[0][b]=1` for a list of objects.
 */
function deep(key: string, value: unknown): readonly (readonly [string, string])[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => deep(`${key}[${isRecord(item) || Array.isArray(item) ? index : ''}]`, item))
  if (!isRecord(value) || value instanceof Date) return [[key, textOf(value)]]
  return Object.entries(value).flatMap(([member, one]) => (one === undefined ? [] : deep(`${key}[${member}]`, one)))
}
