import { readText } from '../arguments/read-text.js'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'
import type { CallOptions } from './own-options.js'

/** Where a token came from, for messages; its value is in none. */
export interface Token {
  readonly value: string
  readonly from: '--token' | '--token-file' | 'SLUICE_TOKEN'
}

/**
 * The token of a flag, a file or the environment, in this order; null where there is none.
 * @throws UsageError that never shows it
 */
export async function readToken(world: World, options: CallOptions): Promise<Token | null> {
  if (options.token === false) return null
  if (options.token !== undefined && options.tokenFile !== undefined)
    throw new UsageError('give one of --token and --token-file')
  const found: Token | null =
    options.tokenFile !== undefined
      ? { from: '--token-file', value: (await readText('--token-file', options.tokenFile)).trim() }
      : options.token !== undefined
        ? { from: '--token', value: options.token.trim() }
        : world.env.SLUICE_TOKEN
          ? { from: 'SLUICE_TOKEN', value: world.env.SLUICE_TOKEN.trim() }
          : null
  if (found?.value === '') throw new UsageError(`${found.from} holds no token: it is empty`)
  return found
}
