import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cwd } from 'node:process'
import { afterAll, describe, expect, test } from 'vitest'
import { type SurfaceCase, surfaceTable } from '../surface/surface-case.js'

/** The key of a row's `expect` that a surface is held to. */
export type Surface = 'cli' | 'mcp' | 'client' | 'execute' | 'fetch'

/** Surfaces that can be given a limiter. */
const LIMITED: readonly Surface[] = ['client', 'execute', 'fetch']

function reasonToSkip({ expect, call }: SurfaceCase, surface: Surface): string | undefined {
  if (expect[surface] === undefined) return `says nothing of ${surface}`
  if (call === undefined) return 'no call leads to it'
  return call.limiter && !LIMITED.includes(surface) ? 'limiter' : undefined
}

/**
 * Registers one vitest test for each row of surface-cases.json that states something of `surface`; the others count as
 * skipped. Afterwards `.report/replay-surface-cases.json` says what came of it, for `pnpm conformance`.
 *
 * @param entry the specifier users import
 * @param check makes the row's call through that entry and compares; it must come to at least one `expect`
 */
export function replaySurfaces(entry: string, surface: Surface, check: (row: SurfaceCase) => Promise<void>): void {
  const { cases } = surfaceTable()
  describe(`${entry} replays surface-cases`, () => {
    const count = { passed: 0, failed: 0, skippedByReason: {} as Record<string, number> }
    afterAll(() => {
      const skipped = Object.values(count.skippedByReason).reduce((sum, n) => sum + n, 0)
      const report = { entry, suite: 'surface-cases', ...count, differs: 0, skipped, decision: 0, total: cases.length }
      mkdirSync(join(cwd(), '.report'), { recursive: true })
      writeFileSync(join(cwd(), '.report', 'replay-surface-cases.json'), `${JSON.stringify(report, null, 2)}\n`)
    })
    for (const row of cases)
      test(`${row.rule} ${row.id}: ${row.name}`, async (context) => {
        const why = reasonToSkip(row, surface)
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
