import type { RetryPolicy, RetryPolicyOptions, retryPolicy } from '../retry/policy.js'
import { camel, snake } from '../words/case.js'

/** The part of a package's public face that makes policies; packages that re-export this one have it too. */
export interface PolicyFace
  extends Record<
    'interactive' | 'background' | 'disabled' | 'github' | 'stripe' | 'openai' | 'awsJson' | 'shopify',
    RetryPolicy
  > {
  retryPolicy: typeof retryPolicy
}

/** A policy in the tables' words; a `preset` among them comes first, the other fields go over it. */
export type TablePolicy = Record<string, unknown>

/**
 * Builds the policy that a table names, through the given public face.
 * @returns the policy, or the field that was refused, in the tables' words (R17)
 */
export function policyFromTable(
  { preset, ...fields }: TablePolicy,
  face: PolicyFace,
): RetryPolicy | { policy_error: string } {
  const { interactive, background, disabled, github, stripe, openai, awsJson, shopify } = face
  const presets = { interactive, background, disabled, github, stripe, openai, 'aws-json': awsJson, shopify }
  const base = preset === undefined ? undefined : presets[preset as keyof typeof presets]
  if (preset !== undefined && !base) return { policy_error: 'preset' }
  const options = Object.fromEntries(Object.entries(fields).map(([name, value]) => [camel(name), value]))
  try {
    return face.retryPolicy(options as RetryPolicyOptions, base) // what it holds is for retryPolicy to refuse
  } catch (error) {
    return { policy_error: snake((error as TypeError & { field: string }).field) } // all that retryPolicy throws
  }
}
