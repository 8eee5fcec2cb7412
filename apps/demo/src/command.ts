import { Command, InvalidArgumentError } from 'commander'
import { QUOTA } from './service.js'

/** What was asked on the command line. */
export interface Flags {
  readonly port: number
  readonly calls: number
  readonly background: boolean
  readonly once: boolean
}

/** The command's own face; it starts nothing. */
export function createCommand(): Command {
  return new Command('npm start --')
    .description(
      'Starts a real gateway over real data on loopback, lets a plain fetch, a naive retry loop and @sluice/fetch ' +
        `ask it for more than their quota (${QUOTA.burst} requests at once, ${QUOTA.ratePerSecond} a second), and shows how each fared. ` +
        'Then it goes on serving, for you to try.',
    )
    .option('--port <number>', 'where to listen on 127.0.0.1; 0 for any free port', whole(0, 65_535), 8787)
    .option('--calls <number>', 'calls that each client makes at once', whole(1, 200), 20)
    .option('--background', 'also play the background preset of @sluice/fetch', false)
    .option('--once', 'end after the table', false)
    .addHelpText(
      'after',
      `
A busy port is told, and a free one used instead. On a terminal a line shows how
far it is; NO_COLOR turns colours off.

Exit codes:
    0  shown; or stopped by Ctrl-C or SIGTERM while serving
    1  the gateway failed, or it counted otherwise than the table says
    2  bad flags
    3  the engine (chdb) is not installed here
  130  Ctrl-C before the table
  143  SIGTERM before the table`,
    )
}

function whole(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}
