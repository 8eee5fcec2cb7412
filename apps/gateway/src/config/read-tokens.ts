import { type CheckedTokens, checkTokens, type Plans } from '../auth/token-options.js'
import { ConfigError } from '../config-error.js'
import { defaultPlan } from '../quota/plan.js'
import { readText } from './read-text.js'

/** Tokens and plans as a file says. @throws ConfigError that never repeats what is in it */
export async function readTokensFile(file: string): Promise<CheckedTokens> {
  const text = await readText(file)
  try {
    return checkTokens(JSON.parse(text), file)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    // Node's own message quotes the text, which holds tokens.
    throw new ConfigError(file, '(the file)', 'is not JSON; write { "tokens": [{ "name": "…", "token": "…" }] }')
  }
}

/** Plans with what flags say of the plan `default`. */
export function withDefault(plans: Plans, ratePerSecond: number | undefined, burst: number | undefined): Plans {
  const flagged = { ...(ratePerSecond !== undefined && { ratePerSecond }), ...(burst !== undefined && { burst }) }
  return { ...plans, default: { ...(plans.default ?? defaultPlan), ...flagged } }
}
