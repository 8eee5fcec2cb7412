import { ArgumentError } from '../errors/argument-error.js'
import { parseBaseUrl } from './base-url.js'

/** `fill` gives what stands for a parameter of the path, encoded. */
export function buildUrl(
  baseUrl: string,
  template: string,
  fill: (name: string) => string,
  pairs: readonly string[],
): string {
  const { base, query } = parseBaseUrl(baseUrl)
  const [path = '', fixed = ''] = template.split(/\?(.*)/s)
  const filled = path.split('/').map((segment) => fillSegment(segment, fill))
  const search = [query, fixed, ...pairs].filter((part) => part !== '').join('&')
  const written = filled.join('/').replaceAll('#', '%23')
  return new URL(`${base}${written.startsWith('/') ? '' : '/'}${written}${search === '' ? '' : `?${search}`}`).href
}

/** `.` and `..` move through a path, encoded or not: such a segment would call another operation. */
function fillSegment(segment: string, fill: (name: string) => string): string {
  let last = 'path'
  const filled = segment.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    last = name
    return fill(name)
  })
  if (/^(\.|%2e){1,2}$/i.test(filled))
    throw new ArgumentError(
      last,
      `must not make ${decodeURIComponent(filled)} a part of the path; give another value`,
      filled,
    )
  return filled
}
