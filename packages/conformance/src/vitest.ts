export { type NamedRow, replayRows } from './vitest/replay-rows.js'
export { replaySurfaces, type Surface } from './vitest/replay-surfaces.js'

import { cwd } from 'node:process'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { MakeClock } from './clock.js'
import type { CaseResult } from './run/case-result.js'
import { formatMismatch } from './run/mismatch.js'
import { entriesOf, runCase, type TableEntry } from './run/run-case.js'
import type { Subject } from './subject.js'
import { loadTable } from './table/load.js'
import { specTable } from './table/schemas.js'
import { CALL_SUITES, type Suite } from './table/table.js'
import { type EntryGuard, guardEntry } from './vitest/entry-guard.js'
import { judgeEntry } from './vitest/judge-entry.js'
import { writeReport } from './vitest/report.js'

export interface ReplayOptions {
  makeClock: MakeClock
  /** Suites to replay; default those about a call: `retry-cases`, `call-scenarios`. */
  suites?: readonly Suite[]
  /** Tables to replay instead of @sluice/spec's. Those of other suites than `suites` are left out. */
  tables?: readonly (URL | string)[]
}

/**
 * Registers one vitest test a case, so that a package's replay test is a few lines. A case during which nothing was
 * called through the module fails, and so does a case of a call that sent nothing through the given fetch. Afterwards
 * `.report/replay-<suite>.json` says what came of it, for `pnpm conformance`.
 *
 * @param entry the specifier users import, `@sluice/fetch`, say.
 * @param load imports that entry: `() => import('@sluice/fetch')`.
 * @param subjectOf makes the subject out of the module it is handed; only calls through that module count.
 * @throws TableError where a table cannot be loaded.
 */
export function replay<Module extends object>(
  entry: string,
  load: () => Promise<Module>,
  subjectOf: (module: Module) => Subject,
  options: ReplayOptions,
): void {
  const suites = options.suites ?? CALL_SUITES
  const tables = (options.tables ?? suites.map(specTable)).map((source) => loadTable(source))
  const loaded = once(async () => {
    const guard = guardEntry(await load())
    return { guard, subject: subjectOf(guard.module) }
  })

  for (const suite of suites) {
    const entries = tables.filter((table) => table.suite === suite).flatMap(entriesOf)
    if (entries.length > 0) registerSuite(entry, suite, entries, loaded, options.makeClock)
  }
}

type Loaded<Module> = () => Promise<{ guard: EntryGuard<Module>; subject: Subject }>

function registerSuite<Module>(
  entry: string,
  suite: Suite,
  entries: readonly TableEntry[],
  loaded: Loaded<Module>,
  makeClock: MakeClock,
): void {
  describe(`${entry} replays ${suite}`, () => {
    const results: CaseResult[] = []
    beforeAll(async () => {
      await loaded()
    })
    afterAll(() => {
      writeReport(cwd(), entry, suite, entries.length, results)
    })
    for (const one of entries) {
      test(titleOf(one), async (context) => {
        const { guard, subject } = await loaded()
        const before = guard.calls()
        const result = judgeEntry(await runCase(one, subject, makeClock), guard.calls() - before, entry)
        results.push(result)
        if (result.verdict === 'failed') throw new Error(formatMismatch(result))
        if (result.verdict === 'differs') await context.annotate(formatMismatch(result))
        if (result.verdict === 'skipped') context.skip(result.skipReason ?? undefined)
      })
    }
  })
}

/** `H1 retry-cases/spaces: optional white space is trimmed`; without the rule in the plain public format. */
function titleOf({ row }: TableEntry): string {
  return `${row.rule === null ? '' : `${row.rule} `}${row.id}: ${row.name}`
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
