import { readFile } from 'node:fs/promises'
import { type CheckedTokens, checkTokens, type Plans } from '../auth/token-options.js'
import { ConfigError } from '../config-error.js'
import { defaultPlan } from '../quota/plan.js'

/** Tokens and plans as a file says. @throws ConfigError that never repeats what is in it */
export async function readTokensFile(file: string): Promise<CheckedTokens> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // fs rejects with errno exceptions only
    throw new ConfigError(file, '(the file)', `cannot be read (${code}); name one that can`)
  }
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
