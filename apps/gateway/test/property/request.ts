import fc, { type Arbitrary } from 'fast-check'
import { operations, type Parameter, type Placed } from '../contract/document.js'
import { anything, fitting, hostileText, misfitting } from './arbitrary.js'

/** A request of any kind to one operation. */
export interface AnyRequest {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

const NAME = { type: 'string', pattern: '^[a-z][a-z0-9_]{0,63}$' }
/** Names that there are, so that more than refusals is met. */
const KNOWN = fc.constantFrom('clicks', 'views', 'orders')
const often = <T>(good: Arbitrary<T>, bad: Arbitrary<T>): Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: good }, { weight: 1, arbitrary: bad })

/** Requests to an operation: mostly those that its description allows, and all others as well. */
export function requestTo(placed: Placed): Arbitrary<AnyRequest> {
  const { method, path, operation, parameters } = placed
  const inQuery = parameters.filter((it) => it.in === 'query')
  const inHeaders = parameters.filter((it) => it.in === 'header')
  return fc
    .record({
      name: often(KNOWN, fc.oneof(fitting(NAME).map(String), hostileText)),
      method: fc.oneof(
        { weight: 9, arbitrary: fc.constant(method) },
        fc.constantFrom('GET', 'PUT', 'POST', 'DELETE', 'HEAD'),
      ),
      query: fc.tuple(
        ...inQuery.map(pairsOf),
        often<Pairs>(fc.constant([]), fc.array(fc.tuple(hostileText, hostileText), { maxLength: 2 })),
      ),
      headers: fc.tuple(...inHeaders.map(headerOf)),
      authorization: fc.oneof(
        {
          weight: 12,
          arbitrary: fc.constantFrom('Bearer a-secret-of-acme-0000001', 'Bearer a-secret-of-reader-0000001'),
        },
        { weight: 2, arbitrary: fc.constant('Bearer a-secret-of-globex-0000001') },
        {
          weight: 1,
          arbitrary: fc.oneof(fc.constantFrom('', 'Bearer', 'Basic YTpi', 'Bearer x', 'bearer  a b'), hostileText),
        },
      ),
      body: bodyOf(placed),
    })
    .map(({ name, query, headers, authorization, body, ...it }): AnyRequest => {
      const pairs = query.flatMap((it: Pairs) => it).map(([key, value]) => `${escaped(key)}=${escaped(value)}`)
      const sent: Pairs = [
        ...headers.flat(),
        ['authorization', authorization],
        ...(body ? [['content-type', body.type] as const] : []),
      ]
      const hasBody = it.method !== 'GET' && it.method !== 'HEAD'
      return {
        ...{ id: operation.operationId, method: it.method },
        path: path.replace('{name}', escaped(name) || '%20') + (pairs.length > 0 ? `?${pairs.join('&')}` : ''),
        headers: Object.fromEntries(sent.filter(([key, value]) => isHeader(key, value))),
        body: hasBody ? (body?.text ?? null) : null,
      }
    })
}

type Pairs = readonly (readonly [string, string])[]

function pairsOf({ name, schema = {} }: Parameter): Arbitrary<Pairs> {
  if (schema.type === 'object') {
    const known = fc.constantFrom('day', 'text', 'n')
    return fc.array(fc.tuple(often(known, hostileText), often(fc.constantFrom('2026-01-01', '1', 'x'), hostileText)), {
      maxLength: 4,
    })
  }
  const value = often(fitting(schema).map(String), hostileText)
  return fc
    .array(value, { maxLength: 1 })
    .chain((values) =>
      often(fc.constant(values), fc.constant([...values, ...values])).map((all) =>
        all.map((it) => [name, it] as const),
      ),
    )
}

function headerOf({ name, schema = {} }: Parameter): Arbitrary<Pairs> {
  // Most name no tenant, or the namespace that there is.
  const usual: Arbitrary<Pairs> = fc.constantFrom<Pairs>([], name === 'X-Tenant-ID' ? [[name, 'acme']] : [])
  return often(
    usual,
    often(fitting(schema).map(String), hostileText).map((value) => [[name, value]]),
  )
}

const EVENT = {
  ...{ type: 'object', additionalProperties: false },
  properties: {
    time: { type: 'string', pattern: '^2026-0[1-9]-1[0-9]T0[0-9]:00:00Z$' },
    user_id: { type: 'integer', minimum: 0, maximum: 1e6 },
    path: { type: 'string' },
  },
}

function bodyOf({ operation }: Placed): Arbitrary<{ type: string; text: string } | null> {
  const schema = operation.requestBody?.content['application/json']?.schema
  if (schema === undefined)
    return often(
      fc.constant(null),
      hostileText.map((text) => ({ type: 'text/plain', text })),
    )
  const isEvents = operation.operationId === 'sendEvents'
  const json = isEvents ? { type: 'array', items: EVENT, minItems: 1 } : schema
  const good = pipes(operation.operationId) ?? fitting(json)
  const texts = often(often(good, misfitting(json)), anything).map((it) => JSON.stringify(it) ?? 'undefined')
  const lines = fc
    .array(often(fitting(EVENT), anything), { maxLength: 5 })
    .map((it) => it.map((row) => JSON.stringify(row)).join('\n'))
  const asJson = often(texts, hostileText).map((text) => ({ type: 'application/json', text }))
  const asLines = often(lines, hostileText).map((text) => ({ type: 'application/x-ndjson', text }))
  const others = fc.tuple(texts, hostileText).map(([text, type]) => ({ type, text }))
  return fc.oneof(
    { weight: 6, arbitrary: asJson },
    { weight: isEvents ? 6 : 1, arbitrary: asLines },
    others,
    fc.constant(null),
  )
}

/** SQL that the engine takes is not to be met by chance. */
function pipes(id: string): Arbitrary<unknown> | undefined {
  if (id !== 'putPipe') return undefined
  const parameters = [{ name: 'day', type: 'Date' }]
  return fc.constantFrom(
    { sql: 'SELECT count() AS n FROM clicks WHERE toDate(time) = {day:Date}', parameters },
    { sql: 'SELECT {n:UInt32} + 1 AS n', parameters: [{ name: 'n', type: 'UInt32', min: 1, max: 9, default: '2' }] },
    {
      sql: 'SELECT {text:String} AS text, 1 / 0 AS x, nan AS y',
      parameters: [{ name: 'text', type: 'String', max_length: 400 }],
    },
    { sql: 'SELECT throwIf(1)', description: 'It fails.' },
  )
}

/** As a client has it that escapes everything; half a character cannot be escaped. */
function escaped(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/** What fetch sends as it is; all else is for raw sockets. */
function isHeader(name: string, value: string): boolean {
  return /^[\x21-\x7e\x80-\xff]([\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/.test(value) && /^[\w-]+$/.test(name)
}

/** Requests to all operations alike. */
export const anyRequest: Arbitrary<AnyRequest> = fc.oneof(...operations.map(requestTo))
