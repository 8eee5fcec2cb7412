import { causes } from '../errors/causes.js'
import { oneLine } from './one-line.js'

/**
 * What a request failed with, for a message: the nearest error code in the chain of causes, else the innermost error's
 * words. Messages of ours never hold URLs or header values; those of the platform are not quoted where there is a code.
 */
export function causeOf(error: unknown): string | null {
  let words: string | null = null
  for (const link of causes(error)) {
    if (!(link instanceof Error)) continue
    if ('code' in link && typeof link.code === 'string') return link.code
    if (link !== error) words = oneLine(link.message)
  }
  return words
}
