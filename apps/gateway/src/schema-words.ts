import { z } from 'zod'
import { shortened } from './field-fault.js'

/** An object with these members and no others, that says in words what else it was given. */
export function strict<T extends z.core.$ZodLooseShape>(shape: T): z.ZodObject<T, z.core.$strict> {
  const members = Object.keys(shape).join(', ')
  const error: z.core.$ZodErrorMap = (issue) =>
    issue.code === 'unrecognized_keys'
      ? `has ${issue.keys.map((it) => `"${shortened(it)}"`).join(', ')}, which it cannot have; there are ${members}`
      : `is ${kindOf(issue.input)}; it must be an object with ${members}`
  return z.strictObject(shape, { error })
}

/** What a value is. Not the value, which may hold secrets. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'not there'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
