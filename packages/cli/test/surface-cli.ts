import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cwd } from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { argumentsOf, stdinFor } from './command-call.js'
import { memoryWorld } from './memory-world.js'
import { type SurfaceCase, scripted, surfaceCases } from './surface-cases.js'

type Cli = typeof import('@sluice/cli')

/** Runs a row's call as a command, once more with other arguments or on a terminal. */
async function runRow(cli: Cli, call: NonNullable<SurfaceCase['call']>, more: string[], terminal = false) {
  const made = scripted(call)
  const { fetch, clock, random, signal } = made.call
  const { world, stdout, stderr } = memoryWorld({
    ...{ argv: [...argumentsOf(made.call), ...more], stdin: stdinFor(made.call), fetch, clock, random, signal },
    ...{ isTTY: { stdout: terminal, stderr: terminal }, env: { NO_COLOR: '1' } },
  })
  const exitCode = await made.clock.run(cli.run(world))
  return { exitCode, stdout: stdout(), stderr: stderr() }
}

const line = (text: string): string => (text === '' ? '' : `${text}\n`)

/** S1: each row through the command's public entry: its words, its data, its notes, its exit code. */
async function checkRow(cli: Cli, { call, outcome, expect: { cli: wanted, cli_note: notes } }: SurfaceCase) {
  if (!call || !wanted) return
  const { exit_code: exitCode, stdout, json } = wanted
  expect(await runRow(cli, call, [])).toEqual({ exitCode, stdout, stderr: line(wanted.stderr) })

  const asData = await runRow(cli, call, ['--json'])
  expect({ exitCode: asData.exitCode, stdout: asData.stdout }).toEqual({ exitCode, stdout })
  if (json === null) expect(asData.stderr).toBe('')
  else expect(JSON.parse(asData.stderr)).toMatchObject(json)

  const { code, status, failure, reason, retryAfterMs, attempts, waitedMs, cause } = JSON.parse(
    (await runRow(cli, call, ['--report'])).stderr,
  )
  const { kind, retry_after_ms, waited_ms } = outcome
  expect({ code, status, failure, reason, retryAfterMs, attempts, waitedMs, cause }).toEqual({
    ...{ code: kind, status: outcome.status, failure: outcome.failure, reason: outcome.reason },
    ...{ retryAfterMs: retry_after_ms, attempts: outcome.attempts, waitedMs: waited_ms, cause: outcome.cause ?? null },
  })

  const watched = await runRow(cli, call, [], true)
  expect(watched).toEqual({ exitCode, stdout, stderr: `${(notes ?? []).map(line).join('')}${line(wanted.stderr)}` })
}

/** Registers one test a row, and writes the report that `pnpm conformance` reads. */
export function replaySurface(load: () => Promise<Cli>): void {
  describe('@sluice/cli replays surface-cases', () => {
    const count = { passed: 0, failed: 0, skippedByReason: {} as Record<string, number> }
    let cli: Cli
    beforeAll(async () => {
      cli = await load()
    })
    afterAll(() => {
      const skipped = Object.values(count.skippedByReason).reduce((sum, n) => sum + n, 0)
      const report = { entry: '@sluice/cli', suite: 'surface-cases', ...count, differs: 0, skipped, decision: 0 }
      mkdirSync(join(cwd(), '.report'), { recursive: true })
      writeFileSync(
        join(cwd(), '.report', 'replay-surface-cases.json'),
        `${JSON.stringify({ ...report, total: surfaceCases.length }, null, 2)}\n`,
      )
    })
    for (const row of surfaceCases)
      test(`${row.rule} ${row.id}: ${row.name}`, async (context) => {
        const why = row.expect.cli ? row.needs?.find((need) => need === 'limiter') : 'says nothing of a command'
        if (why !== undefined) {
          count.skippedByReason[why] = (count.skippedByReason[why] ?? 0) + 1
          context.skip(why)
        }
        count.failed++
        await checkRow(cli, row)
        count.failed--
        count.passed++
      })
  })
}
