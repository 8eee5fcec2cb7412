import { ArgumentError } from '../errors/argument-error.js'
import type { MediaType, Operation } from '../model/operation.js'
import { isRecord } from '../read/is-record.js'
import { isOfKind, kindsOf } from './kinds.js'
import { essence, type MediaKind, mediaKind } from './media-kind.js'
import { shown } from './shown.js'

/** A form of a body, and the media type to announce. */
export interface ChosenContent {
  readonly content: MediaType
  readonly contentType: string
}

/** Written already: sent as they are under any media type but a multipart one, whose boundary nobody knows. */
export const isRaw = (value: unknown): value is Uint8Array | ArrayBuffer | Blob | ReadableStream =>
  value instanceof Uint8Array ||
  value instanceof ArrayBuffer ||
  value instanceof Blob ||
  value instanceof ReadableStream

const STRUCTURED: ReadonlySet<MediaKind> = new Set(['json', 'lines', 'form', 'multipart'])

/** The form that structured arguments describe: the first that has fields, else the first of all. */
export const describedContent = (contents: readonly MediaType[]): MediaType | undefined =>
  contents.find(({ contentType }) => STRUCTURED.has(mediaKind(contentType))) ?? contents[0]

/**
 * The form to send a value in: the one asked for, else the first that can carry it.
 *
 * @throws ArgumentError where the document has no such form, or none can carry the value
 */
export function chooseContent(operation: Operation, value: unknown, wanted: string | undefined): ChosenContent {
  const contents = operation.body?.content ?? []
  const types = contents.map(({ contentType }) => contentType).join(', ')
  if (wanted !== undefined) {
    const content = contents.find(({ contentType }) => covers(contentType, wanted))
    if (content === undefined)
      throw new ArgumentError('contentType', `${operation.id} takes ${types}; got ${wanted}`, wanted)
    if (!carries(mediaKind(wanted), value)) throw cannot(operation, value, wanted)
    return { content, contentType: wanted }
  }
  const able = contents.filter(({ contentType }) => carries(mediaKind(contentType), value))
  const content =
    able.find(({ schema }) => isOfKind(value, kindsOf(schema, operation.defs) ?? [kindOf(value)])) ?? able[0]
  if (content === undefined) throw cannot(operation, value, types)
  return { content, contentType: concrete(content.contentType, value) }
}

const cannot = (operation: Operation, value: unknown, types: string): ArgumentError =>
  new ArgumentError(
    'body',
    `${shown(value)} cannot be sent as ${types}, which is what ${operation.id} takes; give ${remedy(types)}`,
    value,
  )

function remedy(types: string): string {
  switch (mediaKind(types)) {
    case 'lines':
      return 'an array, one item a line'
    case 'form':
    case 'multipart':
      return 'an object, one member a field'
    case 'json':
      return 'a value that JSON can write'
    case 'text':
      return 'a text'
    default:
      return 'a text, bytes or a stream'
  }
}

function carries(kind: MediaKind, value: unknown): boolean {
  if (isRaw(value)) return kind !== 'multipart'
  if (value instanceof FormData) return kind === 'multipart'
  switch (kind) {
    case 'json':
      return true
    case 'lines':
      return Array.isArray(value) || typeof value === 'string'
    case 'form':
    case 'multipart':
      return isRecord(value)
    default:
      return ['string', 'number', 'boolean'].includes(typeof value)
  }
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : isRecord(value) ? 'object' : typeof value

/** Whether a document's media type or range, `image/*`, includes this one. */
function covers(range: string, type: string): boolean {
  const [wide, narrow] = [essence(range), essence(type)]
  return wide === narrow || wide === '*/*' || (wide.endsWith('/*') && narrow.startsWith(wide.slice(0, -1)))
}

/** A range cannot be announced: a type of it that suits the value. */
function concrete(contentType: string, value: unknown): string {
  if (!essence(contentType).endsWith('/*')) return contentType
  if (value instanceof Blob && value.type !== '' && covers(contentType, value.type)) return value.type
  if (essence(contentType) === 'text/*') return 'text/plain'
  return isRaw(value) || essence(contentType) !== '*/*' ? 'application/octet-stream' : 'application/json'
}
