import { Command } from 'commander'
import { durationArgument } from '../arguments/duration.js'
import { wholeNumber } from '../arguments/whole-number.js'
import { type PolicyOptions, withPolicy } from '../policy/options.js'
import type { World } from '../world.js'

/** What `sluice request` was told. Times are ms. */
export interface RequestOptions extends PolicyOptions {
  readonly header?: readonly string[]
  readonly data?: string
  readonly output?: string
  readonly include?: true
  readonly json?: true
  readonly report?: true
  /** False where `--no-retry` was given. */
  readonly retry: boolean
  readonly idempotent?: true
  readonly idempotencyKey?: string | true
  readonly throttledExitCode?: number
}

/** For an option that can be given again. */
export const gather = (line: string, lines: readonly string[] = []): string[] => [...lines, line]

export function requestCommand(program: Command, world: World, done: (exitCode: number) => void): Command {
  const command = new Command('request')
    .copyInheritedSettings(program)
    .summary('make one HTTP request; wait and repeat where that is right')
    .description(
      'Makes one HTTP request. Throttles are waited out, and transient failures repeated where that is safe. The body of the answer goes to stdout as it is; stdout stays empty until there is one.',
    )
    .argument('<method>', 'GET, POST, …')
    .argument('[url]', 'http:// or https://') // optional here, so that a URL without a method is told as such
    .usage('[options] <method> <url>')
    .option('-H, --header <name: value>', 'a request header; can be given again', gather)
    .option('-d, --data <text|@file|->', 'the request body: this text, a file, or stdin')
    .option('-o, --output <file>', 'write the body of a success there, all of it or nothing')
    .option('-i, --include', "the answer's status and headers come before its body")
    .option('--json', 'tell a failure as one JSON object on stderr')
    .option('--report', 'like --json, and tell a success in the same way')
  return withPolicy(command)
    .option('--no-retry', 'one attempt only; also SLUICE_NO_RETRY=1')
    .option('--max-attempts <n>', 'sends in all, the first included', wholeNumber(1))
    .option('--timeout <time>', 'for each attempt, until its answer begins', durationArgument(1))
    .option('--deadline <time>', 'for the whole call with its waits, until its answer begins', durationArgument(1))
    .option('--idempotent', 'repeating does no harm, whatever the method')
    .option(
      '--idempotency-key [key]',
      'send an Idempotency-Key, the same on each attempt; without a value POST and PATCH get a random one',
    )
    .option('--throttled-exit-code <n>', 'exit code for a throttle at the end (4)', wholeNumber(0, 255))
    .addHelpText('after', HELP)
    .action(async (method: string, url: string | undefined, options: RequestOptions) => {
      const [{ request }, { saysYes }] = await Promise.all([import('./request.js'), import('@sluice/core/words')])
      const noRetry = !options.retry || program.opts().retry === false || saysYes(world.env.SLUICE_NO_RETRY)
      done(await request(world, { method, url, options, noRetry }))
    })
}

const HELP = `
Times are written 500ms, 5s, 1.5s, 2m.

Body: a file is read anew for each attempt. Of stdin the first 1 MiB (max_replay_bytes) is read before anything is
sent; what is longer is streamed, and sent once. No Content-Type is made up: give it with -H.

While it waits, a terminal shows one line for each retry on stderr. Elsewhere nothing is said.

Exit codes:
  0    a status below 400
  1    any other end; the body of an error answer is on stdout, a sentence on stderr
  2    wrong usage; nothing was sent
  4    still throttled at the end (--throttled-exit-code N changes it); nothing on stdout
  130  interrupted (143 by SIGTERM)

Environment: SLUICE_NO_RETRY=1|true|yes|on, NO_COLOR.

Examples:
  sluice request GET https://api.example.com/items -i
  sluice request POST https://api.example.com/items -H 'Content-Type: application/json' -d @item.json --idempotency-key
  sluice request GET https://api.example.com/export --preset background --deadline 2m -o export.csv`
