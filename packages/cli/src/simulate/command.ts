import { Command, Option } from 'commander'
import { wholeNumber } from '../arguments/whole-number.js'
import type { World } from '../world.js'
import type { CompareOptions, RunOptions } from './options.js'

const gather = (value: string, values: readonly string[] = []): string[] => [...values, value]

const SEEDS = 20

const tuningSeeds = (): Option =>
  new Option('--tuning-seeds <n>', 'seeds, from 1 on, on which best-fixed and tuned peers are looked for')
    .argParser(wholeNumber(1, 1000))
    .default(SEEDS)

export function simulateCommand(program: Command, world: World, done: (exitCode: number) => void): Command {
  const simulate = new Command('simulate')
    .copyInheritedSettings(program)
    .summary('what a limit is worth in a simulated world: ours, and those of others')
    .description(
      'Plays scenarios with the limiter that the packages use and with those of others, on a simulated server: who keeps latency, throughput and a shared server within bounds.',
    )

  simulate
    .command('list')
    .summary('the scenarios and the controllers')
    .description('Lists the scenarios and the controllers that can be played.')
    .option('--json', 'as one JSON object, with the scenarios as their files have them')
    .action(async (options: { json?: true }) => {
      const { list } = await import('./list.js')
      done(await list(world, options.json ?? false))
    })

  simulate
    .command('run')
    .summary('play one scenario: targets, figures of each phase, limit and latency over time')
    .description('Plays one scenario, and shows what came of it over time.')
    .argument('<scenario>', 'its id or its number, or a file of your own: ./mine.json')
    .option('--controller <names>', 'one, or several with commas: knee,none,fixed:21', 'knee')
    .addOption(new Option('--seeds <n>', 'so many, from 1001 on (default: 1)').argParser(wholeNumber(1, 1000)))
    .addOption(new Option('--seed <n>', 'this one').argParser(wholeNumber(0)).conflicts('seeds'))
    .addOption(tuningSeeds())
    .option(
      '--set <field=value>',
      "change the scenario: cores=14 (server.cores), 'faults[0].at_s=60'; can be given again",
      gather,
    )
    .option('--json', 'as one JSON object')
    .option('--svg <file>', 'a picture of the first seed: limit, calls in the server, latency, batch jobs over time')
    .addHelpText('after', RUN_HELP)
    .action(async (scenario: string, options: RunOptions) => {
      const { run } = await import('./run.js')
      done(await run(world, scenario, options))
    })

  simulate
    .command('compare')
    .summary('score controllers over scenarios and seeds')
    .description('Plays scenarios with several controllers over the same seeds, and scores what they reached.')
    .argument('[scenario...]', 'ids, numbers or files (default: all of the package but those of days: diurnal, growth)')
    .option('--controllers <names>', 'with commas (default: all): none,fixed:21,best-fixed,seed,oracle')
    .option('--tuned', 'also each peer with the best of nine choices of its parameters')
    .addOption(
      new Option('--seeds <n>', 'seeds, from 1001 on, on which is reported')
        .argParser(wholeNumber(1, 1000))
        .default(SEEDS),
    )
    .addOption(tuningSeeds())
    .option('--against <name>', 'also the difference to this one of them, seed by seed')
    .addOption(new Option('--json', 'as one JSON object').conflicts('markdown'))
    .option('--markdown', 'as tables for a page')
    .option('--check', 'exit with 1 where one of them misses a target')
    .addHelpText('after', COMPARE_HELP)
    .action(async (scenarios: string[], options: CompareOptions) => {
      const { compareCommand } = await import('./compare.js')
      done(await compareCommand(world, scenarios, options))
    })

  return simulate
}

const EXIT_CODES = `Exit codes:
  0    played
  1    the output could not be written, or the world came to no end`

const OTHER_CODES = `  2    wrong usage: no such scenario or controller, or a scenario that is not sound
  130  interrupted (143 by SIGTERM)`

const RUN_HELP = `
Targets are bounds for statistics of a phase; ✓ where the value keeps them, ✗ where it does not. Of several seeds it is
the mean, with half of its 95 % interval (Student's t). The same scenario, controller and seed give the same figures.

${EXIT_CODES}
${OTHER_CODES}

Examples:
  sluice simulate run surge-double
  sluice simulate run 5 --controller seed,none,fixed:21 --svg cores.svg
  sluice simulate run metastable --set server.cores=14 --seeds 5
  sluice simulate list --json | jq '.scenarios[0]' > mine.json && sluice simulate run ./mine.json`

const COMPARE_HELP = `
The score of a scenario is the mean over its targets of how near each was reached: 1 where it was, else bound / value for
a maximum and value / bound for a minimum. Shown is its mean over the seeds, with half of its 95 % interval.

best-fixed is the fixed limit that did best on the tuning seeds, found anew for each scenario; a tuned peer has one choice
of its parameters for all the scenarios that are compared. Each is the best of nine.

${EXIT_CODES}; with --check: a target was missed
${OTHER_CODES}

Examples:
  sluice simulate compare surge-double overload --seeds 5
  sluice simulate compare --controllers seed,none --against none
  sluice simulate compare ./mine.json --controllers seed --check`
