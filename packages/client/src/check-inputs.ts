import { shown } from '@sluice/core/adapter'

/** What a token may be made of: visible ASCII (RFC 6750 allows less). */
const TOKEN = /^[\x21-\x7e]+$/

const refuse = (step: string, problem: string): TypeError => new TypeError(`ClientBuilder${step}: ${problem}`)

/** @returns the URL without a slash at the end @throws TypeError */
export function checkedUrl(given: unknown): string {
  const text = given instanceof URL ? given.href : given
  if (typeof text !== 'string' || !URL.canParse(text)) {
    // Whatever stands before an @ may be a password.
    const seen = typeof text === 'string' && text.includes('@') ? 'a text that is none' : shown(text)
    throw refuse('', `the URL must be absolute, such as https://gateway.example.com; got ${seen}`)
  }
  const { protocol, username, password, origin, pathname, search, hash } = new URL(text)
  if (username !== '' || password !== '')
    throw refuse('', 'the URL holds a user name or a password, which logs would show; give a token to .bearer()')
  if (protocol !== 'http:' && protocol !== 'https:')
    throw refuse('', `the URL must begin with http:// or https://; got ${shown(protocol)}`)
  if (search !== '' || hash !== '') throw refuse('', 'the URL must end with its path: take off what begins with ? or #')
  return origin + pathname.replace(/\/+$/, '')
}

/** @throws TypeError that does not show the value: it may be a secret */
export function checkHeader(step: string, name: unknown, value: unknown): void {
  if (typeof name !== 'string' || !isHeader(name, ''))
    throw refuse(step, `a header's name is letters, digits and hyphens; got ${shown(name)}`)
  if (typeof value !== 'string' || value.trim() === '' || !isHeader(name, value))
    throw refuse(
      step,
      `the value of ${name} must be a text that is not empty, without line breaks and characters beyond Latin-1; it is not shown here`,
    )
}

/** @throws TypeError for what the gateway takes for no name of a tenant or data set; it does not show the value */
export function checkNamespace(step: string, id: unknown): asserts id is string {
  if (typeof id !== 'string' || !/^[A-Za-z0-9._-]{1,64}$/.test(id))
    throw refuse(step, 'the name must be 1 to 64 letters, digits, ".", "_" or "-"; it is not shown here')
}

/**
 * A path with a name in braces left in it would ask for what nobody meant.
 * @param options `url` as the document has it: `/v1/pipes/{name}`
 * @throws TypeError
 */
export function checkPath({ url, path }: { readonly [name: string]: unknown }): void {
  for (const [, name = ''] of String(url).matchAll(/\{(\w+)\}/g)) {
    const value: unknown = Reflect.get(Object(path), name)
    if (value === undefined || value === null || value === '')
      throw new TypeError(`${url}: path.${name} must be given, as { path: { ${name}: "…" } }; got ${shown(value)}`)
  }
}

function isHeader(name: string, value: string): boolean {
  try {
    return Boolean(new Headers([[name, value]]))
  } catch {
    return false
  }
}

/** @throws TypeError that does not show the token */
export function checkToken(token: unknown): asserts token is string {
  if (typeof token !== 'string' || !TOKEN.test(token))
    throw refuse(
      '.bearer',
      'a token is a text of visible ASCII characters without spaces, "Bearer" not included; it is not shown here',
    )
}

/** @throws TypeError */
export function checkTimeout(ms: unknown): void {
  if (!Number.isSafeInteger(ms) || Number(ms) < 1)
    throw refuse('.timeout', `ms must be a whole number of milliseconds, at least 1; got ${shown(ms)}`)
}

/** What a limiter is, `createFetch()` looks at; nothing is none. @throws TypeError */
export function checkLimit(given: unknown): void {
  if (given === undefined) throw refuse('.limit', 'must be an AdaptiveSemaphore or Limiters; got undefined')
}

/** @throws TypeError */
export function checkFunction(step: string, given: unknown): void {
  if (typeof given !== 'function') throw refuse(step, `must be a function; got ${shown(given)}`)
}
