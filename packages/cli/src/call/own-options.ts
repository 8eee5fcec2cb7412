import { Command, Option } from 'commander'
import { durationArgument } from '../arguments/duration.js'
import { wholeNumber } from '../arguments/whole-number.js'
import { withPolicy } from '../policy/options.js'
import { gather, type RequestOptions } from '../request/command.js'

export const FORMATS = ['json', 'table', 'ndjson', 'raw'] as const

/** What `sluice call` itself was told, whatever the operation. Times are ms. */
export interface CallOptions extends Omit<RequestOptions, 'data'> {
  readonly openapi?: string
  readonly refresh?: true
  /** True where no word was given. */
  readonly list?: string | true
  readonly tag?: readonly string[]
  readonly baseUrl?: string
  /** False where `--no-token` was given. */
  readonly token?: string | false
  readonly tokenFile?: string
  readonly body?: string
  readonly bodyType?: string
  readonly arg?: readonly string[]
  readonly format?: (typeof FORMATS)[number]
  readonly columns?: string
  readonly help?: true
}

/** A command with every option that is not an operation's own. Their names are taken: a parameter gives way. */
export function ownCommand(name: string): Command {
  const command = new Command(name)
    .helpOption(false)
    .optionsGroup('Document:')
    .option('--openapi <file|url|->', "the OpenAPI document; default the gateway's own; also SLUICE_OPENAPI")
    .option('--refresh', 'ask the URL of the document again; without it a cached copy is taken')
    .option('--list [word]', 'list the operations, or those that a word occurs in')
    .option('--tag <name>', 'list the operations of a tag; can be given again', gather)
    .optionsGroup('Where to, and as whom:')
    .option('--base-url <url>', 'what the paths follow; also SLUICE_BASE_URL')
    .option(
      '--token-file <file>',
      'a file that holds the token; better than SLUICE_TOKEN, and that better than --token',
    )
    .option('--token <value>', 'the token; other users of this machine can see it in the list of processes')
    .option('--no-token', 'send none, even where SLUICE_TOKEN is set')
    .option('-H, --header <name: value>', 'one more request header; can be given again', gather)
    .optionsGroup('What is sent:')
    .option('-d, --body <json|@file|->', 'the request body: this text, a file, or stdin')
    .option('--body-type <type>', 'which of the media types that the operation takes the body is')
    .option('--arg <name=value>', 'a parameter by the name that the document gives it; can be given again', gather)
    .option('--idempotent', 'repeating does no harm, whatever the method')
    .option(
      '--idempotency-key [key]',
      'send an Idempotency-Key, the same on each attempt; without a value POST and PATCH get a random one',
    )
    .optionsGroup('What comes out:')
    .addOption(
      new Option(
        '--format <how>',
        'default: JSON is indented on a terminal, and anything else is left as it is',
      ).choices(FORMATS),
    )
    .option('--columns <names>', 'columns of a table, separated by commas: id,owner.login')
    .option('-o, --output <file>', 'write the body of a success there, all of it or nothing')
    .option('-i, --include', "the answer's status and headers come before its body")
    .option('--json', 'tell a failure as one JSON object on stderr')
    .option('--report', 'like --json, and tell a success in the same way')
    .optionsGroup('Retries, over what the document says:')
  return withPolicy(command)
    .option('--no-retry', 'one attempt only; also SLUICE_NO_RETRY=1')
    .option('--max-attempts <n>', 'sends in all, the first included', wholeNumber(1))
    .option('--timeout <time>', 'for each attempt, until its answer begins: 500ms, 5s, 2m', durationArgument(1))
    .option('--deadline <time>', 'for the whole call with its waits, until its answer begins', durationArgument(1))
    .option('--throttled-exit-code <n>', 'exit code for a throttle at the end (4)', wholeNumber(0, 255))
    .optionsGroup('Help:')
    .option('-h, --help', 'this; after an operation: its flags')
}
