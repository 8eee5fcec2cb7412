import { Command, InvalidArgumentError, Option } from 'commander'
import { QUOTA } from './service.js'

/** What was asked on the command line. */
export interface Flags {
  readonly port: number
  readonly calls: number
  readonly background: boolean
  readonly once: boolean
  readonly act: 'burst' | 'surge' | 'ingest' | 'all'
  readonly record?: string
  readonly compare: boolean
}

/** The command's own face; it starts nothing. */
export function createCommand(): Command {
  return new Command('npm start --')
    .description(
      'Three acts on a real gateway on loopback. Burst: a plain fetch, a naive retry loop and @sluice/fetch ' +
        `ask it for more than their quota (${QUOTA.burst} requests at once, ${QUOTA.ratePerSecond} a second). ` +
        'Surge: a batch job slows its engine without a single 429, with the adaptive limit and without. ' +
        'Ingest: events are sent into data sources, one of which runs away, and the others do not notice. ' +
        'Then it goes on serving, for you to try.',
    )
    .option('--port <number>', 'where to listen on 127.0.0.1; 0 for any free port', whole(0, 65_535), 8787)
    .addOption(new Option('--act <name>', 'what to play').choices(['burst', 'surge', 'ingest', 'all']).default('all'))
    .option('--record <file>', 'write what the limiter of the surge is told, for sluice replay')
    .option('--compare', 'surge: also play it with the steps of L6 (windowed), before the knee', false)
    .option('--calls <number>', 'burst: calls that each client makes at once', whole(1, 200), 20)
    .option('--background', 'burst: also play the background preset of @sluice/fetch', false)
    .option('--once', 'end after the acts', false)
    .addHelpText(
      'after',
      `
A busy port is told, and a free one used instead. On a terminal a line shows how
far it is; NO_COLOR turns colours off.

Exit codes:
    0  shown; or stopped by Ctrl-C or SIGTERM while serving
    1  the gateway failed, or what it did is not what was to be shown
    2  bad flags, or a file that cannot be written
    3  the engine (chdb) is not installed here
  130  Ctrl-C before the end of the acts
  143  SIGTERM before the end of the acts`,
    )
}

function whole(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}
