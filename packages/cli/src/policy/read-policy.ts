import {
  awsJson,
  background,
  disabled,
  github,
  interactive,
  openai,
  type RetryPolicy,
  type RetryPolicyOptions,
  retryPolicy,
  shopify,
  stripe,
} from '@sluice/core'
import { readText } from '../arguments/read-text.js'
import { UsageError } from '../usage-error.js'
import type { PolicyOptions } from './options.js'

const PRESETS: Readonly<Record<string, RetryPolicy>> = {
  ...{ interactive, background, disabled, github, stripe, openai, shopify },
  'aws-json': awsJson,
}

const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * The policy that the command line asks for: the preset, over it the fields of `--policy`, over those the single
 * options, over all of it `--no-retry`.
 *
 * @throws UsageError that names the option or the field, the value and what is allowed
 */
export async function readPolicy(options: PolicyOptions, noRetry: boolean): Promise<RetryPolicy> {
  const { preset: named, ...fields } = options.policy === undefined ? {} : await readFields(options.policy)
  if (named !== undefined && options.preset !== undefined)
    throw new UsageError('--preset: the policy of --policy names a preset already; give one of the two')
  const preset = String(named ?? options.preset ?? 'interactive')
  const base = PRESETS[preset]
  if (!base)
    throw new UsageError(
      `${named === undefined ? '--preset' : '--policy: preset'} must be one of ${Object.keys(PRESETS).join(', ')}; got ${preset}`,
      'preset',
    )
  const single = {
    ...(options.maxAttempts !== undefined && { maxAttempts: options.maxAttempts }),
    ...(options.timeout !== undefined && { attemptTimeoutMs: options.timeout }),
    ...(options.deadline !== undefined && { deadlineMs: options.deadline }),
  }
  const policy = retryPolicy(single, build(fields, base))
  return noRetry ? retryPolicy({ maxAttempts: 1, throttleBudgetMs: null }, policy) : policy
}

/** R17: refused in the words of the one who wrote it. */
function build(fields: Record<string, unknown>, base: RetryPolicy): RetryPolicy {
  const options = Object.fromEntries(Object.entries(fields).map(([name, value]) => [camel(name), value]))
  try {
    return retryPolicy(options as RetryPolicyOptions, base) // what it holds is for retryPolicy to refuse
  } catch (error) {
    const { message, field } = error as TypeError & { field: string } // all that retryPolicy throws
    throw new UsageError(message.replace(`retryPolicy: ${field}`, `--policy: ${snake(field)}`), snake(field))
  }
}

async function readFields(given: string): Promise<Record<string, unknown>> {
  const inline = given.trimStart().startsWith('{')
  const text = inline ? given : await readText('--policy', given)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`--policy: ${inline ? 'this' : given} is not JSON: ${(error as SyntaxError).message}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new UsageError(`--policy: ${given} holds no JSON object; write {"max_attempts": 6}, say`)
}
