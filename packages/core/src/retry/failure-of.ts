import { isBranded } from '../errors/brand.js'
import { causes } from '../errors/causes.js'
import type { Failure, HeaderReader } from './failure.js'
import { wasRetried } from './outcome.js'

/** What means that a connection failed, in Node's words, libuv's and undici's (R3). */
const CONNECTION =
  /^(E(CONN(RESET|REFUSED|ABORTED)|PIPE|TIMEDOUT|AI_AGAIN|HOSTUNREACH|NETUNREACH|NETDOWN)|UND_ERR_(SOCKET|(CONNECT|HEADERS|BODY)_TIMEOUT))$/
/** OpenSSL's names for a certificate that cannot be trusted: never retried, whatever else is in the chain (R3). */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_/

/** A thrown HTTP error, as most SDKs shape it. */
interface StatusLike {
  status?: unknown
  statusCode?: unknown
  headers?: unknown
  response?: { headers?: unknown } | null
}

const readerOf = (headers: unknown): HeaderReader => {
  const given = Object(headers) as { get?: unknown } // of nothing: an empty object
  if (typeof given.get === 'function') {
    const reader = given as { get(name: string): string | null | undefined }
    return { get: (name) => reader.get(name) ?? null } // Maps and their like answer undefined
  }
  const entries = Object.entries(given)
  return { get: (name) => entries.find(([key]) => key.toLowerCase() === name)?.[1]?.toString() ?? null }
}

/**
 * Classifies what an attempt threw, by its whole chain of `cause` and `AggregateError.errors` (R3).
 *
 * Knows: error codes of Node, libuv and undici; `REFUSED_STREAM` of HTTP/2; errors named `TimeoutError` and our own
 * `AttemptTimeoutError`; errors that carry an HTTP `status` or `statusCode`, with `headers` or `response.headers`.
 *
 * @returns the failure; `{kind: 'final'}` for everything unknown, and for what an inner layer has retried (R14)
 */
export function failureOf(error: unknown): Failure {
  const chain = causes(error)
  if (chain.some(wasRetried)) return { kind: 'final' }
  const codes = chain.map(({ code }: { code?: unknown }) => (typeof code === 'string' ? code : ''))
  if (codes.some((code) => CERTIFICATE.test(code))) return { kind: 'final' }
  if (
    chain.some((link, i) => /REFUSED_STREAM/.test(`${codes[i]} ${codes[i] === 'ERR_HTTP2_STREAM_ERROR' ? link : ''}`))
  )
    return { kind: 'connect', refusedStream: true }
  if (codes.some((code) => CONNECTION.test(code))) return { kind: 'connect' }
  if (chain.some((link) => isBranded(link, 'AttemptTimeoutError') || (link as Error).name === 'TimeoutError'))
    return { kind: 'timeout' }
  for (const link of chain as StatusLike[]) {
    const status = link.status ?? link.statusCode
    if (typeof status === 'number' && status >= 400)
      return { kind: 'status', status, headers: readerOf(link.headers ?? link.response?.headers) }
  }
  return { kind: 'final' }
}
