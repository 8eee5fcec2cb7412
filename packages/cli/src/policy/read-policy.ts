import { interactive, type RetryPolicy, type RetryPolicyOptions, retryPolicy } from '@sluice/core'
import { presets } from '@sluice/core/adapter'
import { camel, snake } from '@sluice/core/words'
import { readText } from '../arguments/read-text.js'
import { UsageError } from '../usage-error.js'
import type { PolicyOptions } from './options.js'

/**
 * The policy that the command line asks for: the preset, over it the fields of `--policy`, over those the single
 * options, over all of it `--no-retry`.
 *
 * @param unnamed what stands in for a preset where none is named; default `interactive`
 * @throws UsageError that names the option or the field, the value and what is allowed
 */
export async function readPolicy(
  options: PolicyOptions,
  noRetry: boolean,
  unnamed: RetryPolicy = interactive,
): Promise<RetryPolicy> {
  const { preset: named, ...fields } = options.policy === undefined ? {} : await readFields(options.policy)
  if (named !== undefined && options.preset !== undefined)
    throw new UsageError('--preset: the policy of --policy names a preset already; give one of the two')
  const preset = named ?? options.preset
  const base = preset === undefined ? unnamed : Object.hasOwn(presets, String(preset)) && presets[String(preset)]
  if (!base)
    throw new UsageError(
      `${named === undefined ? '--preset' : '--policy: preset'} must be one of ${Object.keys(presets).join(', ')}; got ${preset}`,
      'preset',
    )
  const single = {
    ...(options.maxAttempts !== undefined && { maxAttempts: options.maxAttempts }),
    ...(options.timeout !== undefined && { attemptTimeoutMs: options.timeout }),
    ...(options.deadline !== undefined && { deadlineMs: options.deadline }),
  }
  const policy = retryPolicy(single, await build(fields, base))
  return noRetry ? retryPolicy({ maxAttempts: 1, throttleBudgetMs: null }, policy) : policy
}

/** R17: refused in the words of the one who wrote it. */
async function build(fields: Record<string, unknown>, base: RetryPolicy): Promise<RetryPolicy> {
  const options = Object.fromEntries(Object.entries(fields).map(([name, value]) => [camel(name), value]))
  try {
    return retryPolicy(options as RetryPolicyOptions, base) // what it holds is for retryPolicy to refuse
  } catch (error) {
    const { message, field } = error as TypeError & { field: string } // all that retryPolicy throws
    if (!Object.hasOwn(base, field)) throw new UsageError(await unknownField(snake(field), base), snake(field))
    throw new UsageError(message.replace(`retryPolicy: ${field}`, `--policy: ${snake(field)}`), snake(field))
  }
}

/** Asked in an error alone: what it imports is slow to start. */
async function unknownField(name: string, base: RetryPolicy): Promise<string> {
  const { nearest } = await import('@sluice/conformance')
  const known = ['preset', ...Object.keys(base).filter((field) => field !== 'classify')].map(snake) // no JSON is a function
  const [near] = nearest(name, known, 1)
  return `--policy: there is no field ${name}; ${near === undefined ? `fields are ${known.join(', ')}` : `did you mean ${near}?`}`
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
