import {
  applyKnownFailing,
  checkKnownFailing,
  exitCodeOf,
  type KnownFailing,
  parseKnownFailing,
  type Report,
  type ReporterName,
  reporters,
  type SuiteReport,
} from '@sluice/conformance'
import { systemClock } from '@sluice/core'
import { readText } from '../arguments/read-text.js'
import { wantsColour } from '../output/voice.js'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'
import { runBuiltIn } from './built-in.js'
import { guarded } from './guarded.js'
import type { RunOptions } from './options.js'
import { runCommand } from './run-command.js'
import { select } from './select.js'

/** `sluice conformance run`. @returns 0 all passed, 1 a mismatch, 2 usage or tables, 3 the driver */
export function runConformance(world: World, command: readonly string[], options: RunOptions): Promise<number> {
  return guarded(world, async () => {
    const reporter = reporterOf(options.reporter)
    const selected = select(options)
    const known = await knownFailing(options.knownFailing)
    if (known) checkKnownFailing(known, selected.ids)

    const clock = world.clock ?? systemClock
    const begun = clock.now()
    const { subject, suites } = await (command.length === 0
      ? runBuiltIn(world, selected)
      : runCommand(world, command, selected))
    const report: Report = {
      subject,
      suites: known ? suites.map((suite) => ({ ...suite, result: applyKnownFailing(suite.result, known) })) : suites,
      durationMs: Math.round(clock.now() - begun),
    }
    if (!suites.some(ranAny)) throw new UsageError(`no case was run: ${whyNone(suites)}`)
    return { text: reporter(report, { color: wantsColour(world, 'stdout') }), exitCode: exitCodeOf(report) }
  })
}

function reporterOf(name: string): (typeof reporters)[ReporterName] {
  const reporter = Object.hasOwn(reporters, name) ? reporters[name as ReporterName] : undefined // its own key
  if (reporter) return reporter
  throw new UsageError(`--reporter: ${name} is none; there are ${Object.keys(reporters).join(', ')}`)
}

async function knownFailing(file: string | undefined): Promise<KnownFailing | null> {
  return file === undefined ? null : parseKnownFailing(await readText('--known-failing', file), file)
}

/** An empty run must not look like a good one. */
const ranAny = ({ result }: SuiteReport): boolean => result.results.length > result.skipped.total

const whyNone = (suites: readonly SuiteReport[]): string => {
  const reasons = new Set(suites.flatMap(({ result }) => Object.keys(result.skipped.byReason)))
  return reasons.size === 0 ? 'none was chosen' : `all were skipped (${[...reasons].join('; ')})`
}
