import { ArgumentError } from '../errors/argument-error.js'
import type { FieldEncoding, MediaType, Operation } from '../model/operation.js'
import { isRecord } from '../read/is-record.js'
import { type ChosenContent, chooseContent, isRaw } from './choose-content.js'
import { targetOf } from './kinds.js'
import { mediaKind } from './media-kind.js'
import { encodeReserved, percentEncode } from './percent-encode.js'
import { serialize, textOf } from './serialize.js'

/** What `fetch` takes as a body. */
export type WrittenBody = string | Uint8Array<ArrayBuffer> | Blob | FormData | ReadableStream<Uint8Array>

/** A body as it is sent; `contentType` is null where `fetch` has to write it, boundary and all. */
export interface Written {
  readonly body: WrittenBody
  readonly contentType: string | null
}

/**
 * Writes a value as the body of an operation that takes one.
 *
 * @throws ArgumentError where the document has no form that carries the value
 */
export function writeBody(operation: Operation, value: unknown, wanted?: string): Written {
  const { content, contentType }: ChosenContent = chooseContent(operation, value, wanted)
  if (value instanceof FormData) return { body: value, contentType: null }
  // Any view of bytes is one that fetch takes, save one of shared memory, which fetch refuses itself.
  if (isRaw(value))
    return { body: (value instanceof ArrayBuffer ? new Uint8Array(value) : value) as WrittenBody, contentType }
  switch (mediaKind(contentType)) {
    case 'json':
      return { body: json(value), contentType }
    case 'lines':
      return {
        body: Array.isArray(value) ? value.map((line) => `${json(line)}\n`).join('') : String(value),
        contentType,
      }
    case 'form':
      return { body: form(value, content), contentType }
    case 'multipart':
      return { body: multipart(operation, value, content), contentType: null }
    default:
      return { body: String(value), contentType }
  }
}

function json(value: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch {} // a circle or a bigint: said below
  if (text === undefined) throw new ArgumentError('body', 'JSON cannot write it; give plain data', value)
  return text
}

const fieldsOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isRecord(value) ? Object.entries(value).filter(([, member]) => member !== undefined && member !== null) : []

const encodingOf = ({ encoding }: MediaType, field: string): FieldEncoding | undefined =>
  Object.hasOwn(encoding, field) ? encoding[field] : undefined

/** Lists are repeated and structures are JSON, unless the document gives a field a style. */
function form(value: unknown, content: MediaType): string {
  return fieldsOf(value)
    .map(([field, member]) => {
      const encoding = encodingOf(content, field)
      const asJson = isRecord(member) && !encoding?.style
      return serialize(field, asJson ? JSON.stringify(member) : member, {
        style: encoding?.style ?? 'form',
        explode: encoding?.style ? encoding.explode : true,
        encode: encoding?.allowReserved ? encodeReserved : percentEncode,
        separator: '&',
      })
    })
    .filter((pair) => pair !== null)
    .join('&')
}

function multipart(operation: Operation, value: unknown, content: MediaType): FormData {
  const data = new FormData()
  for (const [field, member] of fieldsOf(value)) {
    const type = encodingOf(content, field)?.contentType ?? null
    const asFile = isBinary(operation, content, field)
    for (const part of Array.isArray(member) ? member : [member]) {
      if (part instanceof Blob) data.append(field, part)
      else if (part instanceof ReadableStream)
        throw new ArgumentError('body', `${field}: a form carries no stream; give bytes or a Blob`, part)
      // As above: a view of bytes.
      else if (isRaw(part) || asFile || type !== null)
        data.append(
          field,
          new Blob([isRaw(part) ? (part as BlobPart) : textOf(part)], type === null ? {} : { type }),
          field,
        )
      else data.append(field, textOf(part))
    }
  }
  return data
}

/** OpenAPI 3.0 says `format: binary`, 3.1 a `contentMediaType`: such a field is a file even where a text is given. */
function isBinary({ defs }: Operation, { schema }: MediaType, field: string): boolean {
  const whole = targetOf(schema, defs)
  const properties = isRecord(whole) && isRecord(whole.properties) ? whole.properties : {}
  const declared = Object.hasOwn(properties, field) ? properties[field] : undefined
  if (!isRecord(declared)) return false
  const one = targetOf(declared, defs)
  const item = isRecord(one) && isRecord(one.items) ? targetOf(one.items, defs) : one
  return isRecord(item) && (item.format === 'binary' || item.contentMediaType === 'application/octet-stream')
}
