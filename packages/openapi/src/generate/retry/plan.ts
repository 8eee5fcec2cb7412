import type { RetrySettings } from '../../model/retry-settings.js'

/** An operation and what the document says of its retries, all levels taken together. */
export interface PlannedOperation {
  readonly method: string
  readonly path: string
  readonly settings: RetrySettings
  /** Answers with server-sent events, whose reader connects again by itself. */
  readonly events: boolean
}

/** A line of the generated table. */
export interface Rule {
  readonly method: string
  readonly path: string
  readonly once?: true
  readonly idempotent?: boolean
  readonly preset?: string
  readonly fields?: { readonly [field: string]: number }
}

/**
 * The operations that are not retried like all the others, with what differs; and those that a request to one of them
 * could be mistaken for.
 *
 * @param all what the document says of every operation
 */
export function rulesOf(all: RetrySettings, operations: readonly PlannedOperation[]): Rule[] {
  const differing = new Map(
    operations.flatMap((operation): [PlannedOperation, Rule][] => {
      const rule = ruleOf(all, operation)
      return Object.keys(rule).length > 2 ? [[operation, rule]] : []
    }),
  )
  return operations.flatMap((operation): Rule[] => {
    const rule = differing.get(operation)
    if (rule) return [rule]
    const { method, path } = operation
    return [...differing.keys()].some((other) => alike(operation, other)) ? [{ method, path }] : []
  })
}

function ruleOf(all: RetrySettings, { method, path, settings, events }: PlannedOperation): Rule {
  const { disabled = false, idempotent = false, preset, ...fields } = settings
  if (disabled || events) return all.disabled && !events ? { method, path } : { method, path, once: true }
  // Where it has a preset of its own, or is retried although the others are not, nothing is left of the policy for all.
  const own = preset !== all.preset || all.disabled ? (preset ?? 'interactive') : undefined
  const differing = Object.entries(fields).filter(
    ([name, value]) => own !== undefined || value !== all[name as keyof RetrySettings], // fields are RetrySettings' own
  )
  return {
    method,
    path,
    ...(idempotent !== (all.idempotent ?? false) && { idempotent }),
    ...(own !== undefined && { preset: own }),
    ...(differing.length > 0 && { fields: Object.fromEntries(differing) }),
  }
}

/** Whether one request could be meant for either. */
function alike(a: PlannedOperation, b: PlannedOperation): boolean {
  const [left, right] = [a.path.split('/'), b.path.split('/')]
  return (
    a.method === b.method &&
    left.length === right.length &&
    left.every((segment, at) => segment === right[at] || `${segment}${right[at]}`.includes('{'))
  )
}
