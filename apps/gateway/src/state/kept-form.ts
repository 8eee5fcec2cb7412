import { z } from 'zod'
import { ConfigError } from '../config-error.js'
import type { SlicedWork } from '../slices.js'

/** Milliseconds since the epoch, as far as dates go. */
export const moment: z.ZodNumber = z.number().min(0).max(8_640_000_000_000_000)

const REMEDY = 'mend it, put a copy of the file there, or take it away'

/**
 * What a file of the gateway's own holds, which somebody may have edited.
 * @throws ConfigError with the file, the place in it and the remedy, where it has another form
 */
export function inForm<T>(schema: z.ZodType<T>, value: unknown, path: string): T {
  const result = schema.safeParse(value, { error: inWords })
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.map(String).join('.') || '(the file)'
  throw new ConfigError(path, field, `${issue?.message ?? 'is not valid'}; ${REMEDY}`)
}

/** What a line of a log says; undefined: it is no such line, as one that a crash cut off is none. */
export function lineIn<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined // no JSON
  }
}

/** What lines of a log say, but for those that are none; who asks for something else meanwhile has a turn. */
export async function linesIn<T>(schema: z.ZodType<T>, texts: readonly string[], work: SlicedWork): Promise<T[]> {
  const found: T[] = []
  for (const text of texts) {
    if (work.isDue(text.length)) await work.pause()
    const it = lineIn(schema, text)
    if (it !== undefined) found.push(it)
  }
  return found
}

/** Where a schema has no words of its own. */
function inWords(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys') return `has "${issue.keys[0]}", which is no member of it`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (issue.code === 'invalid_type') return `must be ${/^[aeio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
  if (issue.code === 'too_small' && issue.origin !== 'array')
    return `must be ${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}`
  if (issue.code === 'too_big' && issue.origin !== 'array') return `must be at most ${issue.maximum}`
  return 'has another form than the gateway gives it'
}
