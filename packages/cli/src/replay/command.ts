import { Command, InvalidArgumentError, Option } from 'commander'
import { durationArgument } from '../arguments/duration.js'
import type { World } from '../world.js'
import { withSettings } from './settings.js'

/** Figures of a time unit in ms. */
export type Unit = 's' | 'ms' | 'us' | 'ns'

/** What `sluice replay` was told, beside the thresholds. */
export interface ReplayOptions {
  readonly format?: 'csv' | 'ndjson'
  readonly delimiter?: string
  readonly timeColumn?: string
  readonly latencyColumn?: string
  readonly statusColumn?: string
  readonly countColumn?: string
  readonly periodColumn?: string
  readonly timeoutColumn?: string
  readonly retryAfterColumn?: string
  readonly inFlightColumn?: string
  readonly waitedColumn?: string
  readonly timeUnit?: Unit
  readonly latencyUnit?: Unit
  readonly origin?: string
  /** ms */
  readonly period?: number
  readonly json?: true
  readonly svg?: string
  /** False: --no-latency. */
  readonly latency: boolean
  /** False: --no-shedding. */
  readonly shedding: boolean
}

export function replayCommand(program: Command, world: World, done: (exitCode: number) => void): Command {
  const units = ['s', 'ms', 'us', 'ns']
  const command = new Command('replay')
    .copyInheritedSettings(program)
    .summary('what the adaptive limit would have done with your own latency')
    .description(
      'Replays a recorded trace through the adaptive limit that the packages use: when it would have backed off, how far, and when it would have been back. An open loop: the trace stays what it was.',
    )
    .argument('<file>', 'CSV with a header, or NDJSON, in the order of time; - for stdin')
    .addOption(
      new Option('--format <name>', 'default: by the ending of the file, else by its first character').choices([
        'csv',
        'ndjson',
      ]),
    )
    .option('--delimiter <character>', 'of a CSV file (default: a tab for .tsv, else a comma)', oneCharacter)
    .option(
      '--time-column <name>',
      'when the attempt ended, as ISO 8601 or since the epoch (default: time, timestamp, …)',
    )
    .option('--latency-column <name>', 'how long it took (default: latency_ms, latency, duration_ms, …)')
    .option('--status-column <name>', 'its HTTP status (default: status, where there is one)')
    .option('--count-column <name>', 'how many attempts the line stands for (default: count, where there is one)')
    .option('--period-column <name>', 'what to sum up by (default: period, where there is one)')
    .option(
      '--timeout-column <name>',
      'true or 1: it was given up after its latency (default: timeout, where there is one)',
    )
    .option(
      '--retry-after-column <name>',
      'the wait that a 429 stated, in ms, or as its name ends (default: retry_after_ms, where there is one)',
    )
    .option(
      '--in-flight-column <name>',
      'attempts in flight as it ended, itself included (default: in_flight; without it, by the latencies of a window)',
    )
    .option(
      '--waited-column <name>',
      'how long it had waited for its slot, in ms, or as its name ends (default: waited_ms, where there is one)',
    )
    .addOption(new Option('--time-unit <unit>', 'of times since the epoch (default: by their size)').choices(units))
    .addOption(
      new Option('--latency-unit <unit>', "default: by the column's name, as in latency_s, else ms").choices(units),
    )
    .option('--origin <time>', 'when the limiter was made: windows begin there (default: the first line)')
    .option('--period <time>', 'sum up by stretches of the clock, in UTC: hour, day, or 15m, say', periodArgument)
    .option('--json', 'as one JSON object')
    .option('--svg <file>', 'a picture: latency, baseline and limit over time, a limit for each choice of thresholds')
  return withSettings(command)
    .addHelpText('after', HELP)
    .action(async (file: string, options: ReplayOptions) => {
      const { replay } = await import('./replay.js')
      done(await replay(world, file, options))
    })
}

function oneCharacter(text: string): string {
  const character = text === '\\t' ? '\t' : text
  if (character.length === 1 && character !== '"') return character
  throw new InvalidArgumentError("It must be one character, such as ';' or '\\t'.")
}

function periodArgument(text: string): number {
  if (text === 'hour') return 3_600_000
  if (text === 'day') return 86_400_000
  return durationArgument(1)(text)
}

const HELP = `
Times are written 500ms, 5s, 1.5s, 2m, 1h. A threshold may have several values, which are compared:
--backoff-ratio 1.2,1.3,1.4; --controller too: knee,windowed. A flag that only one of them knows does nothing to the other.

A status of 429 is a throttle, any other of 400 and above a failure, whose latency says nothing; a line without a status
is a success. Lines must be in the order of time: one that is earlier than the line before it is an error. A line
that cannot be read ends the replay, and is named: correct it, or leave it out, as in sed 17d FILE | sluice replay -

What sluice-gateway --record wrote says in its first line when its limiter was made and how it was set. Those are the
defaults here, so that it replays as it was; a flag that is given wins. With the other controller, what was left at its
default has that one's.

Shown of each period: the mean limit over time, the lowest, the share of windows that closed below the whole limit
(throttled), p90 and baseline. Where the trace says who waited, also the share of windows that closed while calls were
let go early (shedding), by the waits in the trace, which another limit would have changed; how many were is in no trace.

Exit codes:
  0    replayed
  1    the output could not be written
  2    wrong usage: the file cannot be read, lacks a column, is not in order, or no window of it has enough samples
  130  interrupted (143 by SIGTERM)

Examples:
  sluice replay latency.csv
  sluice replay latency.csv --period day --svg limit.svg
  sluice replay access.ndjson --time-column end --latency-column request_time --latency-unit s
  sluice replay latency.csv --backoff-ratio 1.2,1.3,1.4 --expected-p90 120
  sluice replay trace.ndjson --controller knee,windowed`
