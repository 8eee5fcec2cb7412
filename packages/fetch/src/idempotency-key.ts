import { shown } from '@sluice/core/adapter'
import { requestLike } from './request-source.js'

/** A random UUID, version 4 (RFC 9562). `crypto.randomUUID` is missing from pages that came over plain http. */
const uuid = (): string =>
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) => {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
    return (Number(digit) ^ (byte & (15 >> (Number(digit) / 4)))).toString(16)
  })

/**
 * Adds an `Idempotency-Key` where the method is not safe to repeat without one, and there is none yet (R2).
 * @returns init with the key among its headers, or as it was
 * @throws TypeError for a made key that is none
 */
export function withIdempotencyKey(
  input: string | URL | Request,
  init: RequestInit | undefined,
  make: true | (() => string),
): RequestInit | undefined {
  const request = requestLike(input)
  if (!/^(POST|PATCH)$/i.test(init?.method ?? request?.method ?? 'GET')) return init
  const headers = new Headers(init?.headers ?? request?.headers)
  if (headers.has('idempotency-key')) return init
  const key = make === true ? uuid() : make()
  if (typeof key !== 'string' || key === '')
    throw new TypeError(`createFetch: idempotencyKey must make a string that is not empty; got ${shown(key)}`)
  headers.set('idempotency-key', key)
  return { ...init, headers }
}
