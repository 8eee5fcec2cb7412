import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import { checkTokens, type Plans, type TokenOptions } from './auth/token-options.js'
import { ConfigError } from './config-error.js'
import type { GatewayOptions } from './gateway-options.js'
import { defaultPlan } from './quota/plan.js'

/** What was asked on the command line. */
export interface Flags {
  readonly host: string
  readonly port: number
  readonly tokens?: string
  readonly rate?: number
  readonly burst?: number
  readonly dataDir?: string
  readonly corsOrigin?: readonly string[]
  readonly readTimeout: number
  readonly maxConcurrent?: number
  readonly controller?: 'knee' | 'windowed'
  readonly overdraft?: number
  readonly shedding: boolean
  readonly window?: number
  readonly expectedP90?: number
  readonly minSamples?: number
  readonly record?: string
  readonly console?: string
  readonly quiet?: true
}

/** The command's own face; it starts nothing. */
export function createCommand(): Command {
  return new Command('sluice-gateway')
    .description('A query API over ClickHouse, embedded, with bearer tokens and a real quota per token.')
    .option('--port <number>', 'where to listen; 0 for any free port', whole(0, 65_535), 8787)
    .option('--host <address>', 'on which address', '127.0.0.1')
    .option(
      '--tokens <file>',
      'JSON: { "tokens": [{ "name", "token" or "hash", "plan"? }], "plans"? } (or SLUICE_TOKENS_FILE)',
    )
    .option('--rate <number>', `requests a second of the plan "default" (${defaultPlan.ratePerSecond})`, above0)
    .option('--burst <number>', `requests at once of the plan "default" (${defaultPlan.burst})`, whole(1, 1e6))
    .option('--data-dir <folder>', 'where the engine keeps its files (a temporary folder, removed at the end)')
    .option('--read-timeout <ms>', 'after how many milliseconds a read is killed', whole(1, 3_600_000), 10_000)
    .option(
      '--max-concurrent <number>',
      'queries that the engine runs at once, at most: the adaptive limit is never above it (8)',
      whole(1, 256),
    )
    .addOption(
      new Option('--controller <name>', 'how latency becomes a limit: rules L18 to L21, or L6 (knee)').choices([
        'knee',
        'windowed',
      ]),
    )
    .option(
      '--overdraft <ms>',
      'knee: how long the engine bears more while callers wait long, in milliseconds; 0 spares it at once (120000)',
      whole(0, 86_400_000),
    )
    .option('--no-shedding', 'knee: let nobody go before the queue timeout, however long callers have waited')
    .option('--window <ms>', 'how long its windows are, in milliseconds (10000)', whole(1, 86_400_000))
    .option('--expected-p90 <ms>', 'the p90 to expect of a window when all is well, in milliseconds (learned)', above0)
    .option('--cors-origin <origin...>', 'origins whose pages may call, or * (none)')
    .option('--min-samples <number>', 'queries that a window needs to count (50)', whole(1, 1e6))
    .option('--record <file>', 'write what the limit is told to a file, a line for each query, for `sluice replay`')
    .option('--console <folder>', 'a built console (apps/console/dist) to show at / (none)')
    .option('--quiet', 'no access log on stderr')
    .addHelpText(
      'after',
      '\nExit codes: 0 closed, 1 cannot listen or the engine failed, 2 bad flags or tokens file, 3 no engine here.' +
        '\nSLUICE_LATENCY_BACKOFF=false keeps the limit up however slow the engine gets.',
    )
}

/** Tokens and plans as flags and file say; `fresh` is a token made up because there was no file. */
export async function readTokens(
  flags: Flags,
  file: string | undefined,
): Promise<Pick<GatewayOptions, 'tokens' | 'plans'> & { fresh?: string }> {
  const flagged = {
    ...(flags.rate !== undefined && { ratePerSecond: flags.rate }),
    ...(flags.burst !== undefined && { burst: flags.burst }),
  }
  if (file === undefined) {
    const fresh = randomBytes(24).toString('base64url')
    const tokens: TokenOptions[] = [{ name: 'default', token: fresh }]
    return { tokens, plans: { default: { ...defaultPlan, ...flagged } }, fresh }
  }
  const { tokens, plans } = checkTokens(await readJson(file), file)
  const merged: Plans = { ...plans, default: { ...(plans.default ?? defaultPlan), ...flagged } }
  return { tokens, plans: merged }
}

async function readJson(file: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    // fs rejects with errno exceptions only, hence the cast
    throw new ConfigError(
      file,
      '(the file)',
      `cannot be read (${(error as NodeJS.ErrnoException).code}); name one that can`,
    )
  }
  try {
    return JSON.parse(text)
  } catch {
    // Node's own message quotes the text, which holds tokens.
    throw new ConfigError(file, '(the file)', 'is not JSON; write { "tokens": [{ "name": "…", "token": "…" }] }')
  }
}

function whole(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}

function above0(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value > 0 && value <= 1e6) return value
  throw new InvalidArgumentError('It must be a number above 0, at most 1000000.')
}
