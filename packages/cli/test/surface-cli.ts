import { replaySurfaces } from '@sluice/conformance/vitest'
import { expect } from 'vitest'
import { adviceOf } from '../src/ends/advice.js'
import { argumentsOf, stdinFor } from './command-call.js'
import { driven } from './driven.js'
import { memoryWorld } from './memory-world.js'
import { type SurfaceCase, scripted } from './surface-cases.js'

type Cli = typeof import('@sluice/cli')

/** How a row's call is written as a command line. */
export type CommandOf = typeof argumentsOf

/** Runs a row's call as a command, once more with other arguments or on a terminal. */
async function runRow(
  cli: Cli,
  call: NonNullable<SurfaceCase['call']>,
  commandOf: CommandOf,
  more: string[],
  terminal = false,
) {
  const made = scripted(call)
  const { clock, random, signal } = made.call
  let begin = (): void => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const fetch: typeof globalThis.fetch = (...given) => {
    begin()
    return made.call.fetch(...given)
  }
  const { world, stdout, stderr } = memoryWorld({
    ...{ argv: [...commandOf(made.call), ...more], stdin: stdinFor(made.call), fetch, clock, random, signal },
    ...{ isTTY: { stdout: terminal, stderr: terminal }, env: { NO_COLOR: '1' } },
  })
  const running = cli.run(world)
  await Promise.race([begun, running]) // what is read before takes real time
  const exitCode = await driven(made.clock, running)
  return { exitCode, stdout: stdout(), stderr: stderr() }
}

const line = (text: string): string => (text === '' ? '' : `${text}\n`)

/** S1: each row through the command's public entry: its words, its data, its notes, its exit code. */
export async function checkRow(
  cli: Cli,
  { call, outcome, expect: { cli: wanted, cli_note: notes } }: SurfaceCase,
  commandOf: CommandOf = argumentsOf,
): Promise<void> {
  if (!call || !wanted) return
  const { exit_code: exitCode, stdout, json } = wanted
  expect(await runRow(cli, call, commandOf, [])).toEqual({ exitCode, stdout, stderr: line(wanted.stderr) })

  const asData = await runRow(cli, call, commandOf, ['--json'])
  expect({ exitCode: asData.exitCode, stdout: asData.stdout }).toEqual({ exitCode, stdout })
  if (json === null) expect(asData.stderr).toBe('')
  else expect(JSON.parse(asData.stderr)).toMatchObject(json)

  const { code, status, failure, reason, retryAfterMs, attempts, waitedMs, cause } = JSON.parse(
    (await runRow(cli, call, commandOf, ['--report'])).stderr,
  )
  const { kind, retry_after_ms, waited_ms } = outcome
  expect({ code, status, failure, reason, retryAfterMs, attempts, waitedMs, cause }).toEqual({
    ...{ code: kind, status: outcome.status, failure: outcome.failure, reason: outcome.reason },
    ...{ retryAfterMs: retry_after_ms, attempts: outcome.attempts, waitedMs: waited_ms, cause: outcome.cause ?? null },
  })

  const watched = await runRow(cli, call, commandOf, [], true)
  // On a terminal the line is not glued to the end of the body, and may be followed by what can be done.
  const fresh = wanted.stderr !== '' && stdout !== '' && !stdout.endsWith('\n') ? '\n' : ''
  const advice = adviceOf({ reason }) ?? ''
  expect(watched).toEqual({
    ...{ exitCode, stdout },
    stderr: `${(notes ?? []).map(line).join('')}${fresh}${line(wanted.stderr)}${line(advice)}`,
  })
}

/** Registers one test a row, and writes the report that `pnpm conformance` reads. */
export function replaySurface(load: () => Promise<Cli>): void {
  const loaded = load()
  replaySurfaces('@sluice/cli', 'cli', async (row) => checkRow(await loaded, row))
}
