import { Command } from 'commander'
import type { World } from '../world.js'
import type { ListOptions, RunOptions } from './options.js'

const gather = (value: string, values: readonly string[] = []): string[] => [...values, value]

const withSelection = (command: Command): Command =>
  command
    .option('--suite <name>', 'only this suite; can be given again (default: every table)', gather)
    .option(
      '--tables <dir|file>',
      'tables of your own, or a file in the plain public format (default: the published ones)',
    )
    .option('--run <glob>', 'only these cases: r9-*, call-scenarios/*; can be given again', gather)
    .option('--skip <glob>', 'not these cases; can be given again', gather)

export function conformanceCommand(program: Command, world: World, done: (exitCode: number) => void): Command {
  const conformance = new Command('conformance')
    .copyInheritedSettings(program)
    .summary('run the tables of the specification against an implementation in any language')
    .description('Runs the tables of the specification against an implementation in any language.')

  withSelection(conformance.command('run'))
    .summary('run the tables against the built-in implementation, or a driver')
    .description(
      'Runs the tables. Without a command against the built-in implementation; with one against the driver that it starts, which speaks newline-delimited JSON on stdin and stdout (spec/driver.md).',
    )
    .argument('[command...]', 'after --: what starts the driver')
    .option('--known-failing <file>', 'a list of ids or globs, one a line: they may fail, and must not pass')
    .option('--reporter <name>', 'pretty, json, junit or tap', 'pretty')
    .addHelpText('after', RUN_HELP)
    .action(async (command: string[], options: RunOptions) => {
      const { runConformance } = await import('./run.js')
      done(await runConformance(world, command, options))
    })

  withSelection(conformance.command('list'))
    .summary('list the cases')
    .description('Lists the cases: rule, id, name.')
    .option('--json', 'one JSON object a line')
    .action(async (options: ListOptions) => {
      const { list } = await import('./list.js')
      done(await list(world, options))
    })

  conformance
    .command('explain')
    .summary('show one case: its rule, its input, what must come of it')
    .description('Shows one case: its rule, its input, what must come of it, and the line that a driver is sent.')
    .argument('<id>', 'with its suite or without: r9-total-equal')
    .option('--tables <dir|file>', 'tables of your own (default: the published ones)')
    .action(async (id: string, options: { tables?: string }) => {
      const { explain } = await import('./explain.js')
      done(await explain(world, id, options.tables))
    })

  conformance
    .command('validate')
    .summary('check tables, or how a driver speaks')
    .description(
      'Checks tables: the schema, the ids, and that every rule the folder states has a case. With --driver it checks how a driver speaks, and not whether its answers are right.',
    )
    .argument('[dir]', 'a folder of tables or one file (default: the published ones); with --driver: the command')
    .argument('[arguments...]')
    .option('--driver', 'check the driver that the command after -- starts')
    .addHelpText('after', VALIDATE_HELP)
    .action(async (first: string | undefined, rest: string[], options: { driver?: true }) => {
      const { validate } = await import('./validate.js')
      done(await validate(world, first === undefined ? [] : [first, ...rest], options.driver ?? false))
    })

  return conformance
}

const RUN_HELP = `
Suites: retry-cases, call-scenarios, backoff-scenarios, ingest-scenarios; and wire, the real_time rows of call-scenarios
over real sockets, judged by the requests that arrive. wire is run where it is asked for, and for a driver that runs
nothing else.

Exit codes:
  0    every case passed, or was skipped for a reason that is told
  1    a case failed, or one that is known to fail passed
  2    wrong usage, or tables that are not sound
  3    the driver crashed, hung, or broke the protocol
  130  interrupted

Examples:
  sluice conformance run
  sluice conformance run --suite retry-cases --run 'h3-*' -- python3 driver.py
  sluice conformance run --suite wire --reporter junit -- node driver.mjs > report.xml`

const VALIDATE_HELP = `
Exit codes: 0 sound; 2 wrong usage, or something is wrong with the tables; 3 something is wrong with the driver.

Examples:
  sluice conformance validate my-tables
  sluice conformance validate --driver -- python3 driver.py`
