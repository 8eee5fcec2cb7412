import { Command, InvalidArgumentError, Option } from 'commander'
import { SCOPE, type Scope } from './auth/scopes.js'
import { defaultPlan } from './quota/plan.js'

/** What was asked on the command line, in the environment or in a file. */
export interface Flags {
  readonly config?: string
  readonly printConfig?: true
  readonly host: string
  readonly port: number
  readonly tokens?: string
  readonly rate?: number
  readonly burst?: number
  readonly spool?: string
  readonly maxBacklog: number
  readonly maxBacklogAge: number
  readonly fsyncInterval: number
  readonly maxDataSources: number
  readonly maxPipes: number
  readonly embedded?: number
  readonly dataDir?: string
  readonly isolation: boolean
  readonly writeTimeout: number
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
  readonly quiet?: boolean
}

/** What `token` was asked. */
export interface TokenFlags {
  readonly name: string
  readonly tenant?: string
  readonly scope?: readonly Scope[]
  readonly plan?: string
  readonly json?: true
}

const MOST = Number.MAX_SAFE_INTEGER

/** What the command does. */
export interface Actions {
  readonly start: (command: Command) => Promise<void>
  readonly token: (flags: TokenFlags) => void
}

/** The command's own face. */
export function createCommand({ start, token }: Actions): Command {
  const command = new Command('sluice-gateway')
    .description('Events in, saved queries out, over ClickHouse: bearer tokens, real quotas, exact waits.')
    .option('--config <file>', 'YAML or JSON with any of these, and nodes, plans and tokens (or SLUICE_CONFIG)')
    .option('--print-config', 'print what holds, where it is from, secrets masked, and start nothing')
    .option('--port <number>', 'where to listen; 0 for any free port', whole(0, 65_535), 8787)
    .option('--host <address>', 'on which address', '127.0.0.1')
    .option(
      '--tokens <file>',
      'JSON: { "tokens": [{ "name", "token" or "hash", "plan"?, "tenant"?, "scopes"? }], "plans"? } (or SLUICE_TOKENS_FILE)',
    )
    .option('--rate <number>', `requests a second of the plan "default" (${defaultPlan.ratePerSecond})`, above0)
    .option('--burst <number>', `requests at once of the plan "default" (${defaultPlan.burst})`, whole(1, 1e6))
    .option('--spool <folder>', 'where events and definitions are kept (none: no data sources, no pipes are saved)')
    .option(
      '--max-backlog <bytes>',
      'what may wait to be written of all data sources together, in bytes; more is refused',
      whole(1_048_576, MOST),
      4_294_967_296,
    )
    .option(
      '--max-backlog-age <ms>',
      'how long the oldest of it may wait, in milliseconds; above, more is refused',
      whole(60_000, 864_000_000_000),
      172_800_000,
    )
    .option(
      '--fsync-interval <ms>',
      'how long a batch may wait to share one fsync with others, in milliseconds; 0: none waits',
      whole(0, 1000),
      5,
    )
    .option('--max-data-sources <number>', 'data sources that one tenant may have', whole(0, 100_000), 1000)
    .option('--max-pipes <number>', 'pipes that one tenant may have saved', whole(0, 100_000), 1000)
    .option('--embedded <number>', 'engines hosted here (1, or 0 where the file has nodes)', whole(0, 16))
    .option('--data-dir <folder>', 'where the engine keeps its files (in the spool, or a temporary folder)')
    .option('--no-isolation', 'protect no data source from another: for measurements alone')
    .option(
      '--write-timeout <ms>',
      'how long an answer waits for a write: with wait=true, and that a backlog is paused',
      whole(1, 3_600_000),
      10_000,
    )
  return withQueries(command)
    .option('--cors-origin <origin...>', 'origins whose pages may call, or * (none)')
    .option('--record <file>', 'write what the limit is told to a file, a line for each query, for `sluice replay`')
    .option('--console <folder>', 'a built console (apps/console/dist) to show at / (none)')
    .option('--quiet', 'no line for each request on stderr; all else is still told there')
    .addHelpText(
      'after',
      '\nEach may be in the environment as well: SLUICE_SPOOL for --spool, SLUICE_MAX_CONCURRENT for --max-concurrent.' +
        '\nWhat is on the command line holds before the environment, and that before the file.' +
        '\nExit codes: 0 closed, 1 cannot listen or the engine failed, 2 bad flags, files or folders, 3 no engine here.' +
        '\nSLUICE_LATENCY_BACKOFF=false keeps the limit up however slow the engine gets.',
    )
    .action((_, it: Command) => start(it))
    .addCommand(tokenCommand(token))
}

function withQueries(command: Command): Command {
  return command
    .option('--read-timeout <ms>', 'after how many milliseconds a read is killed', whole(1, 3_600_000), 10_000)
    .option(
      '--max-concurrent <number>',
      'queries that a node runs at once, at most: the adaptive limit is never above it (8)',
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
    .option('--min-samples <number>', 'queries that a window needs to count (50)', whole(1, 1e6))
}

function tokenCommand(run: (flags: TokenFlags) => void): Command {
  return new Command('token')
    .description('Make a token: the secret, once, and the entry for the file of tokens, with its hash.')
    .requiredOption('--name <name>', 'what logs call it', word)
    .option('--tenant <tenant>', 'whose it is (default)', word)
    .option(
      '--scope <scope...>',
      'admin, operator, or owner:NAME, write:NAME, read:NAME with a name or * (read:*)',
      scopes,
    )
    .option('--plan <plan>', 'its plan, by name (default)', word)
    .option('--json', 'print { "secret", "entry" } and nothing else')
    .action((flags: TokenFlags) => run(flags))
}

function scopes(text: string, before: readonly Scope[] = []): readonly Scope[] {
  if (!SCOPE.test(text)) throw new InvalidArgumentError('It must be admin, or owner:NAME, write:NAME or read:NAME.')
  return [...before, text as Scope] // as the pattern has it
}

function word(text: string): string {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(text)) return text
  throw new InvalidArgumentError('It must be 1 to 64 letters, digits, ".", "_" or "-".')
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
