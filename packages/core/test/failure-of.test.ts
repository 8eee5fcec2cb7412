import { type Failure, failureOf } from '@sluice/core'
import { describe, expect, test } from 'vitest'

const coded = (code: string, options?: ErrorOptions): Error => Object.assign(new Error(code, options), { code })
const connect: Failure = { kind: 'connect' }
const final: Failure = { kind: 'final' }

describe('R3: a failure is found in the chain of causes', () => {
  test.each<[string, unknown, Failure]>([
    ['a code of its own', coded('ECONNRESET'), connect],
    ['in the cause', new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }), connect],
    ['in the cause of the cause', new Error('a', { cause: new Error('b', { cause: coded('EPIPE') }) }), connect],
    ['in a member of an AggregateError', new AggregateError([coded('EHOSTUNREACH'), coded('ENETUNREACH')]), connect],
    ['in a cause of a member', new AggregateError([new Error('x', { cause: coded('ETIMEDOUT') })]), connect],
    ['beneath an unknown code', coded('ERR_WRAPPED', { cause: coded('UND_ERR_SOCKET') }), connect],
    ['a certificate error wins', coded('ECONNRESET', { cause: coded('CERT_HAS_EXPIRED') }), final],
    ['no such host', coded('ENOTFOUND'), final],
    ['an unknown code', coded('ERR_SOMETHING'), final],
    ['a programming error', new TypeError('x is not a function'), final],
    ['nothing at all', undefined, final],
    ['a string', 'ECONNRESET', final],
    ['a timeout of the platform', new DOMException('too slow', 'TimeoutError'), { kind: 'timeout' }],
    ['a refused stream', coded('REFUSED_STREAM'), { kind: 'connect', refusedStream: true }],
    [
      'a refused stream in the words of Node',
      Object.assign(new Error('Stream closed with error code NGHTTP2_REFUSED_STREAM'), {
        code: 'ERR_HTTP2_STREAM_ERROR',
      }),
      { kind: 'connect', refusedStream: true },
    ],
    ['another stream error', Object.assign(new Error('NGHTTP2_CANCEL'), { code: 'ERR_HTTP2_STREAM_ERROR' }), final],
  ])('%s', (_, error, failure) => {
    expect(failureOf(error)).toEqual(failure)
  })

  test('a cycle of causes ends', () => {
    const one = new Error('one')
    const two = new Error('two', { cause: one })
    one.cause = two
    expect(failureOf(one)).toEqual(final)
  })
})

describe('errors of SDKs that carry an HTTP status', () => {
  test.each<[string, object]>([
    ['status and headers', { status: 429, headers: new Headers({ 'retry-after': '7' }) }],
    ['statusCode and plain headers', { statusCode: 429, headers: { 'Retry-After': 7 } }],
    ['response.headers', { status: 429, response: { headers: { 'retry-after': '7' } } }],
    ['in a cause', { cause: { status: 429, headers: { 'retry-after': '7' } } }],
  ])('%s', (_, shape) => {
    const failure = failureOf(Object.assign(new Error('rate limited'), shape))
    expect(failure).toMatchObject({ kind: 'status', status: 429 })
    expect(failure.kind === 'status' && failure.headers.get('retry-after')).toBe('7')
  })
})
