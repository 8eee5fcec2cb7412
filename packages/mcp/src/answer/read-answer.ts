import { STATUS_CODES } from 'node:http'
import { oneLine, titleIn } from '@sluice/core/words'

/** No answer is read further: nothing of this size is of use to a model. */
const MOST_BYTES = 16 * 2 ** 20

/** An answer that was read. */
export interface Answer {
  readonly status: number
  /** Without parameters, in lower case; '' where none was sent. */
  readonly contentType: string
  readonly bytes: Uint8Array
  /** null where it is no text. */
  readonly text: string | null
  /** Whether there was more than is read. */
  readonly cut: boolean
  /** The problem's title (RFC 9457), else the status text. */
  readonly title: string | null
}

/**
 * Reads an answer to its end, or to the most that is read.
 * @throws what the connection failed with
 */
export async function readAnswer(response: Response): Promise<Answer> {
  const { status, headers, statusText } = response
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').split(';')
  const contentType = type.trim().toLowerCase()
  const chunks: Uint8Array[] = []
  let size = 0
  let cut = false
  // An event stream has no end to wait for.
  if (contentType === 'text/event-stream') await response.body?.cancel()
  else
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk)
      size += chunk.byteLength
      cut = size > MOST_BYTES
      if (cut) break
    }
  const bytes = Buffer.concat(chunks)
  const text = textOf(bytes, contentType, parameters.join(';'), cut)
  const problem = contentType === 'application/problem+json' && text !== null ? titleIn(text) : null
  const title = problem ?? (oneLine(statusText) || (STATUS_CODES[status] ?? null))
  return { status, contentType, bytes, text, cut, title }
}

const TEXT =
  /^(text\/|application\/(.*[+/])?(json|x-ndjson|jsonl|xml|yaml|x-yaml|javascript|x-www-form-urlencoded|graphql|sql|toml)$)|\+(json|xml|yaml)$/

function textOf(bytes: Uint8Array, contentType: string, parameters: string, cut: boolean): string | null {
  const isText = TEXT.test(contentType)
  if (!isText && contentType !== '') return null
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(parameters)?.[1] ?? 'utf-8'
  try {
    // Where no type was sent, what is no UTF-8 is no text. A cut may have hit the middle of a character.
    return new TextDecoder(charset, { fatal: !isText && !cut }).decode(bytes)
  } catch {
    return isText ? new TextDecoder().decode(bytes) : null
  }
}
