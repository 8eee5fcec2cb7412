import { Command } from 'commander'
import { durationArgument } from '../arguments/duration.js'
import { numberBelow } from '../arguments/number-below.js'
import { wholeNumber } from '../arguments/whole-number.js'
import { type PolicyOptions, withPolicy } from '../policy/options.js'
import type { World } from '../world.js'

/** What `sluice decide` was told. Times are ms. */
export interface DecideOptions extends PolicyOptions {
  readonly header?: readonly string[]
  readonly body?: string
  readonly method: string
  readonly idempotent?: true
  readonly idempotencyKey?: true
  readonly stream?: true
  readonly attempt: number
  readonly waited: number
  readonly throttleWaited: number
  readonly elapsed?: number
  readonly transientFailures?: number
  readonly failedTransiently?: true
  readonly retryTokens?: number
  readonly draw?: number
  readonly now?: string
  readonly json?: true
}

const gather = (line: string, lines: readonly string[] = []): string[] => [...lines, line]

export function decideCommand(program: Command, world: World, done: (exitCode: number) => void): Command {
  const command = new Command('decide')
    .copyInheritedSettings(program)
    .summary('what the policy would do about a failure, and by which rules')
    .description(
      'Says what the policy does about one failed attempt, and by which rules of the specification. Sends nothing.',
    )
    .argument('<failure>', 'a status such as 429; or connect, timeout, network:CODE (network:ECONNRESET)')
    .option('-H, --header <name: value>', 'a header of the response; can be given again', gather)
    .option('--body <text|@file>', "the response's body, for presets that read it")
  return withPolicy(command)
    .option('--method <method>', 'of the request', 'GET')
    .option('--idempotent', 'the caller marks the call: repeating does no harm')
    .option('--idempotency-key', 'the request carries an Idempotency-Key')
    .option('--stream', "the request's body can be sent once only")
    .option('--attempt <n>', 'attempts made, the failed one included', wholeNumber(1), 1)
    .option(
      '--waited <time>',
      'waited so far (with a throttle budget: after transient failures)',
      durationArgument(0),
      0,
    )
    .option('--throttle-waited <time>', 'with a throttle budget: waited so far after throttles', durationArgument(0), 0)
    .option('--elapsed <time>', 'since the call began (default: all that was waited)', durationArgument(0))
    .option(
      '--transient-failures <n>',
      'transient failures so far, this one included (default: --attempt)',
      wholeNumber(0),
    )
    .option('--failed-transiently', 'an earlier attempt failed transiently: a keyed 409 may be in progress')
    .option('--retry-tokens <n>', 'tokens left in a shared retry budget (default: there is none)', numberBelow())
    .option('--draw <n>', 'from 0 to below 1: show this draw in place of the range of all', numberBelow(1))
    .option('--now <date>', 'the wall clock: an ISO date, or epoch milliseconds (default: now)')
    .option('--json', 'as one JSON object')
    .addHelpText('after', HELP)
    .action(async (failure: string, options: DecideOptions) => {
      const { decideOne } = await import('./decide-one.js')
      done(await decideOne(world, { failure, options, noRetry: program.opts().retry === false }))
    })
}

const HELP = `
Times are written 500ms, 5s, 1.5s, 2m. Waits are drawn at random: the range of what can be drawn is shown.
The rules named are those that this very decision depended on: each was taken away, and it came out otherwise.

Examples:
  sluice decide 429 -H 'Retry-After: 5' --method POST
  sluice decide 503 --method POST
  sluice decide network:ECONNRESET --attempt 3
  sluice decide 429 -H 'Retry-After: 3600' --preset background --json
  sluice decide 403 -H 'x-ratelimit-remaining: 0' --preset github`
