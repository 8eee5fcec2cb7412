import { STATUS_CODES } from 'node:http'
import { oneLine, titleIn } from '@sluice/core/words'
import type { Sink } from '../output/sink.js'

/** A problem's title is looked for in this much of the body. */
const MOST_BYTES = 16_384

/** The answer's status and headers as text, with the empty line that ends them. */
export function headOf(response: Response): string {
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  return `${[`HTTP ${response.status} ${response.statusText}`.trimEnd(), ...lines].join('\n')}\n\n`
}

/**
 * Writes an answer's body as it comes.
 * @returns for an error answer its title (S1): the problem's (RFC 9457), else the status text
 * @throws what the sink or the connection failed with; the body is let go then
 */
export async function deliver(response: Response, sink: Sink): Promise<string | null> {
  const problem = response.status >= 400 && /^application\/problem\+json\b/i.test(typeOf(response))
  const kept: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    if (problem && size < MOST_BYTES) kept.push(chunk)
    size += chunk.byteLength
    await sink.write(chunk)
  }
  const title = problem ? titleIn(Buffer.concat(kept).toString()) : null
  return title ?? (oneLine(response.statusText) || (STATUS_CODES[response.status] ?? null))
}

const typeOf = (response: Response): string => response.headers.get('content-type') ?? ''
