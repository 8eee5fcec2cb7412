import { Command, Option } from 'commander'
import { version } from '../version.js'
import type { World } from '../world.js'
import { durationArgument, gather, wholeNumber } from './arguments.js'
import { type LogLevel, logLevels } from './log.js'

/** The command line, as commander reads it. */
export interface Flags {
  readonly openapi?: string
  readonly baseUrl?: string
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly allowWrite?: boolean
  readonly tokenFile?: string
  readonly header?: readonly string[]
  readonly deadline: number
  readonly maxChars: number
  readonly errorMode: 'result' | 'protocol'
  readonly retry: boolean
  readonly http?: string
  readonly allowHost?: readonly string[]
  readonly logLevel: LogLevel
}

/** The whole command line. What it does is imported when it is done: `--help` needs none of it. */
export function createProgram(world: World): Command {
  return new Command(world.name ?? 'sluice-mcp')
    .description('Serves the operations of an OpenAPI document as MCP tools that wait when the server asks them to.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      outputError: () => {}, // run() tells it
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .version(version(), '-V, --version')
    .option('--openapi <doc>', "an OpenAPI 3.0 or 3.1 document: a file or a URL (default: the gateway's)")
    .option(
      '--base-url <url>',
      "where requests go (default: the document's server; the gateway's: http://127.0.0.1:8787)",
    )
    .option('--include <pattern...>', 'only these operations: ids, globs, or tag:NAME')
    .option('--exclude <pattern...>', 'none of these')
    .option('--allow-write', 'offer operations other than GET and HEAD too')
    .option('--token-file <file>', 'read the token from there; also SLUICE_TOKEN')
    .option('--header <name: value>', 'a header for every request; can be given again', gather)
    .addOption(
      new Option('--deadline <time>', 'for a whole call, its waits included')
        .argParser(durationArgument)
        .default(50_000, '50s'),
    )
    .option('--max-chars <n>', 'the most characters of an answer', wholeNumber, 100_000)
    .addOption(
      new Option('--error-mode <mode>', 'how a throttle to the end is told')
        .choices(['result', 'protocol'])
        .default('result'),
    )
    .option('--no-retry', 'one attempt only; also SLUICE_NO_RETRY=1')
    .option('--http <[host:]port>', 'serve streamable HTTP at /mcp there, in place of stdio')
    .option('--allow-host <name...>', 'serve requests that name this host; needed beyond the loopback')
    .addOption(new Option('--log-level <level>', 'what is told on stderr').choices(logLevels).default('info'))
    .addHelpText('after', HELP)
    .action(async (flags: Flags) => {
      const { serve } = await import('./serve.js')
      await serve(world, flags)
    })
}

const HELP = `
Only operations that read (GET, HEAD) are offered, unless --allow-write is given. More than 64 tools need an --include.
A token goes only to the --base-url, never to a server that only the document names. There is no flag for it: a list
of processes would show it.

Exit codes: 0 served to the end, 1 a failure, 2 wrong usage or a document that cannot be read.

Environment: SLUICE_TOKEN, SLUICE_NO_RETRY=1|true|yes|on, XDG_CACHE_HOME.

Examples:
  sluice-mcp --openapi ./openapi.yaml --base-url https://api.example.com
  sluice-mcp --openapi https://api.example.com/openapi.json --base-url https://api.example.com --include tag:issues
  sluice-mcp --http 3000`
