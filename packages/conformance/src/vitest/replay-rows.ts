import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cwd } from 'node:process'
import type { Suite } from '@sluice/spec'
import { afterAll, describe, expect, test } from 'vitest'

/** What a row of any suite has. */
export interface NamedRow {
  readonly id: string
  readonly rule: string
  readonly name: string
}

/**
 * Registers one vitest test for each row of a suite that is replayed by a check of one's own. Afterwards
 * `.report/replay-<suite>.json` says what came of it, for `pnpm conformance`.
 *
 * @param entry the specifier users import
 * @param check plays the row through that entry and compares; it must come to at least one `expect`
 * @param reasonToSkip why a row is not played; undefined: it is
 */
export function replayRows<Row extends NamedRow>(
  entry: string,
  suite: Suite,
  rows: readonly Row[],
  check: (row: Row) => Promise<void>,
  reasonToSkip: (row: Row) => string | undefined = () => undefined,
): void {
  describe(`${entry} replays ${suite}`, () => {
    const count = { passed: 0, failed: 0, skippedByReason: {} as Record<string, number> }
    afterAll(() => {
      const skipped = Object.values(count.skippedByReason).reduce((sum, n) => sum + n, 0)
      const report = { entry, suite, ...count, differs: 0, skipped, decision: 0, total: rows.length }
      mkdirSync(join(cwd(), '.report'), { recursive: true })
      writeFileSync(join(cwd(), '.report', `replay-${suite}.json`), `${JSON.stringify(report, null, 2)}\n`)
    })
    for (const row of rows)
      test(`${row.rule} ${row.id}: ${row.name}`, async (context) => {
        const why = reasonToSkip(row)
        if (why !== undefined) {
          count.skippedByReason[why] = (count.skippedByReason[why] ?? 0) + 1
          context.skip(why)
        }
        expect.hasAssertions()
        count.failed++
        await check(row)
        count.failed--
        count.passed++
      })
  })
}
