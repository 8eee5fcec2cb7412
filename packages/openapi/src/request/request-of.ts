import { ArgumentError } from '../errors/argument-error.js'
import type { Operation } from '../model/operation.js'
import { type Argument, argumentsOf } from './argument-names.js'
import { buildUrl } from './build-url.js'
import { type Given, readArguments } from './read-arguments.js'
import { shown } from './shown.js'
import { type WrittenBody, writeBody } from './write-body.js'
import { writeParameter } from './write-parameter.js'

/** What is sent, for `fetch(url, { method, headers, body })`. A stream needs `duplex: 'half'` besides. */
export interface ApiRequest {
  /** Absolute. */
  readonly url: string
  /** Upper case. */
  readonly method: string
  /** Names in lower case. `content-type` is left to `fetch` where the body is a form with a boundary. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: WrittenBody | null
}

export interface RequestOptions {
  /** What paths follow: `https://api.example.com/v1`. A query in it is sent on every call. */
  readonly baseUrl: string
  /** The form of the body, one that the document names; default the first that can carry the value. */
  readonly contentType?: string | undefined
}

/**
 * The request that calls an operation with these arguments: one flat object by the names of `argumentsOf`, and `body`.
 * What is `undefined` is not given. It holds no credentials: whoever sends it adds them.
 *
 * @throws ArgumentError that names the argument, its value and what to give: missing, unknown, of another type than
 *   the document says at its top (`checkArguments` looks deeper), or not to be sent in its place
 */
export function requestOf(
  operation: Operation,
  args: Readonly<Record<string, unknown>>,
  { baseUrl, contentType }: RequestOptions,
): ApiRequest {
  const { parameters, body } = readArguments(operation, args)
  const written = parameters.map((given) => [given, writeParameter(given)] as const)
  const of = (place: string): readonly (readonly [Given, string])[] =>
    written.flatMap(([given, text]) => (given.parameter.in === place && text !== null ? [[given, text] as const] : []))

  const url = buildUrl(
    baseUrl,
    operation.path,
    (name) => of('path').find(([{ parameter }]) => parameter.name === name)?.[1] ?? missing(operation, name),
    of('query').map(([, text]) => text),
  )
  const sent = body === undefined ? null : writeBody(operation, body, contentType)
  const cookies = of('cookie').map(([, text]) => text)
  const accept = acceptOf(operation)
  return {
    url,
    method: operation.method,
    headers: Object.fromEntries([
      ...(accept === '' ? [] : [['accept', accept]]),
      ...of('header').map(([{ name, parameter }, text]) => [parameter.name.toLowerCase(), headerValue(name, text)]),
      ...(cookies.length === 0 ? [] : [['cookie', cookies.join('; ')]]),
      ...(sent?.contentType ? [['content-type', sent.contentType]] : []),
    ]),
    body: sent?.body ?? null,
  }
}

function missing(operation: Operation, name: string): never {
  const called = argumentsOf(operation).find(
    ({ parameter }: Argument) => parameter.in === 'path' && parameter.name === name,
  )
  throw new ArgumentError(called?.name ?? name, `is missing; ${operation.path} needs it`)
}

/** What the described answers are written in, those of a success first. A stream of events only where there is nothing else. */
function acceptOf({ responses }: Operation): string {
  const statuses = Object.keys(responses).sort((a, b) => Number(b.startsWith('2')) - Number(a.startsWith('2')))
  const types = [...new Set(statuses.flatMap((status) => responses[status]?.contentTypes ?? []))]
  const quiet = types.filter((type) => !type.startsWith('text/event-stream'))
  return (quiet.length === 0 ? types : quiet).join(', ')
}

function headerValue(name: string, text: string): string {
  // RFC 9110: visible characters, spaces and tabs; fetch takes no more than Latin-1.
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
    throw new ArgumentError(
      name,
      `${shown(text)} cannot stand in a header; leave out line breaks and what is not Latin-1`,
      text,
    )
  return text
}
