import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Operation } from '@sluice/openapi'
import { cutJson } from './cut-json.js'
import { pagingHint } from './paging.js'
import type { Answer } from './read-answer.js'
import { isTooDeep } from './too-deep.js'

/** What is handed over of something that is no text, in bytes. */
const MOST_BINARY = 1_048_576

/** What a result is made with. */
export interface Handing {
  readonly operation: Operation
  readonly maxChars: number
}

/** The result of a call that succeeded (S2): the answer, as far as it can be handed over. */
export function resultOf(answer: Answer, handing: Handing): CallToolResult {
  const { status, contentType, bytes, text } = answer
  if (contentType === 'text/event-stream')
    return said(
      'The answer is an event stream, which a tool cannot follow; ask for another form of it if there is one.',
    )
  if (bytes.byteLength === 0) return said(emptyText(status))
  if (text === null) return binary(answer)
  const value = /[/+]json$/.test(contentType) && !answer.cut ? parsed(text) : undefined
  return value === undefined ? plain(text, handing) : json(value, text, handing)
}

const emptyText = (status: number): string => {
  if (status >= 300) return `HTTP ${status}: no answer, and no redirect that could be followed`
  return status === 200 || status === 204 ? 'done' : `done (HTTP ${status})`
}

function json(value: unknown, written: string, handing: Handing): CallToolResult {
  const { maxChars } = handing
  // An id of 64 bits is no number of JavaScript's: as it was written it keeps its digits.
  const isCompact = !/\d{16}/.test(written) || written.length > maxChars
  const text = isCompact ? JSON.stringify(value) : written
  if (text.length <= maxChars) return { ...said(text), structuredContent: structured(value) }
  const cut = cutJson(value, maxChars)
  if (!cut) return plain(text, handing)
  const notice = `[cut: the first ${cut.kept} of ${cut.of} entries; ${pagingHint(handing.operation)}]`
  return { ...said(JSON.stringify(cut.value), notice), structuredContent: structured(cut.value) }
}

function plain(text: string, { maxChars, operation }: Handing): CallToolResult {
  if (text.length <= maxChars) return said(text)
  return said(
    start(text, maxChars),
    `[cut: the first ${maxChars} of ${text.length} characters; ${pagingHint(operation)}]`,
  )
}

/** The protocol wants an object there. */
const structured = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { result: value }

function binary({ contentType, bytes, cut }: Answer): CallToolResult {
  const mimeType = contentType || 'application/octet-stream'
  const size = `${cut ? 'more than ' : ''}${bytes.byteLength} bytes`
  if (bytes.byteLength > MOST_BINARY) return said(`The answer is ${size} of ${mimeType}: too large to hand over.`)
  const data = Buffer.from(bytes).toString('base64')
  if (/^image\/(png|jpeg|gif|webp)$/.test(mimeType)) return { content: [{ type: 'image', data, mimeType }] }
  if (mimeType.startsWith('audio/')) return { content: [{ type: 'audio', data, mimeType }] }
  const resource = { uri: 'answer:body', mimeType, blob: data }
  return {
    content: [
      { type: 'text', text: `${size} of ${mimeType}` },
      { type: 'resource', resource },
    ],
  }
}

/** A result of texts. */
export const said = (...texts: string[]): CallToolResult => ({ content: texts.map((text) => ({ type: 'text', text })) })

/** The first characters, no pair of surrogates cut in two. */
export const start = (text: string, chars: number): string => text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, '')

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isTooDeep(value) ? undefined : value
  } catch {
    return undefined // then it is text, whatever its type says
  }
}
