import { oneLine } from './one-line.js'

/** The title of a problem (RFC 9457), or null: `json` may be anything. */
export function titleIn(json: string): string | null {
  try {
    const { title } = JSON.parse(json)
    return typeof title === 'string' ? oneLine(title) : null
  } catch {
    return null
  }
}
