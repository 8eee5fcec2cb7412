import { type RetryPolicy, retryPolicy } from './policy.js'
import { presets } from './presets/by-name.js'
import { interactive } from './presets/interactive.js'

/** How a document wants an operation to be retried: the fields of `x-sluice-retry`. */
export interface OperationSettings {
  readonly disabled?: boolean | undefined
  readonly idempotent?: boolean | undefined
  readonly maxAttempts?: number | undefined
  readonly baseMs?: number | undefined
  readonly perAttemptCapMs?: number | undefined
  readonly totalCapMs?: number | undefined
  readonly preset?: string | undefined
}

/**
 * The policy that a document's settings ask for: the preset they name in place of `base`, their fields over it, one
 * attempt where they are disabled.
 *
 * @param base where no preset is named; default the `interactive` preset
 * @throws TypeError that names the field, the value and what is allowed (R17)
 */
export function policyOfSettings(settings: OperationSettings, base: RetryPolicy = interactive): RetryPolicy {
  const { disabled, idempotent: _, preset, ...fields } = settings
  const named = preset === undefined ? base : Object.hasOwn(presets, preset) && presets[preset]
  if (!named)
    throw Object.assign(
      new TypeError(`retryPolicy: preset must be one of ${Object.keys(presets).join(', ')}; got ${preset}`),
      { field: 'preset' },
    )
  const policy = retryPolicy(fields, named)
  return disabled ? retryPolicy({ maxAttempts: 1, throttleBudgetMs: null }, policy) : policy
}
