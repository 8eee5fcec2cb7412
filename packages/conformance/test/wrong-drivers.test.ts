import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { slots } from '../src/driver/slots.js'
import { runDriver } from '../src/driver.js'
import { loadTable, RULES, specTable } from '../src/index.js'
import { realClock } from './real-clock.js'

interface Fault {
  name: string
  rule: string
  says: string
}

const folder = fileURLToPath(new URL('drivers/python/', specTable('retry-cases')))
const suites = ['retry-cases', 'call-scenarios', 'backoff-scenarios'] as const
const tables = suites.map((suite) => loadTable(specTable(suite)))
const ruleOf = new Map(tables.flatMap(({ cases }) => cases.map(({ id, rule }) => [id, rule] as const)))

// A day of windows each, half a second of Python: the other rows of L8 catch its faults as well.
const LONG = ['backoff-scenarios/l8-accepted-within-a-day', 'backoff-scenarios/l8-a-surge-that-settles']

// The interpreter itself: what stands for it on PATH may be a script that takes longer to start than Python.
const asked = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' })
const python = asked.status === 0 ? asked.stdout.trim() : null

// Some hundred processes start: without what is compiled being kept, each takes three times as long.
const kept = fileURLToPath(new URL('../.report/pycache/', import.meta.url))
const env = { ...process.env, PYTHONPYCACHEPREFIX: kept, PYTHONDONTWRITEBYTECODE: '' }

const listed =
  python === null ? null : spawnSync(python, ['wrong.py', '--list'], { cwd: folder, env, encoding: 'utf8' })
// Written by wrong.py of this repository; what is missing in it fails the tests below.
const faults: readonly Fault[] = listed?.status === 0 ? (JSON.parse(listed.stdout) as Fault[]) : []

const run = (script: readonly string[], rule: string | null) =>
  runDriver({
    command: python ?? 'python3',
    args: ['-S', ...script], // -S: without the packages that somebody installed; the port needs none
    cwd: folder,
    env,
    clock: realClock,
    tables,
    filter: (id) => rule === null || (ruleOf.get(id) === rule && !LONG.includes(id)),
    helloTimeoutMs: 60_000, // on a machine with other work
    timeoutMs: 60_000,
  })

/** Rows of the rule that this fault fails by what it answers: an error tells that it is broken, not that it is wrong. */
async function caughtBy({ name, rule }: Fault): Promise<string[]> {
  const { driver, suites } = await run(['wrong.py', name], rule)
  expect(driver.name).toBe(`wrong: ${name}`)
  return suites
    .flatMap(({ result }) => result.results)
    .filter(({ verdict, mismatches }) => verdict === 'failed' && mismatches.every(({ field }) => field !== 'driver'))
    .map(({ id }) => id)
}

describe.skipIf(python === null && process.env.CI !== 'true')('wrong drivers (needs python3)', () => {
  it('the driver that they are made of passes every row', { timeout: 120_000 }, async () => {
    const { suites } = await run(['driver.py'], null)
    for (const { result } of suites) {
      expect(result.results.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
      expect(result.passed).toBeGreaterThan(0)
    }
  })

  it('there is one at least for each of R1–R17, H1–H5 and L1–L17', () => {
    expect(listed?.stderr).toBe('')
    const rules = new Set(faults.map(({ rule }) => rule))
    expect(RULES.filter((rule) => rule !== 'R18' && !rules.has(rule))).toEqual([])
  })

  it.each([...new Set(faults.map(({ rule }) => rule))])(
    'each fault of %s fails a row of it',
    { timeout: 120_000 },
    async (rule) => {
      const slot = slots(2)
      const own = faults.filter((fault) => fault.rule === rule)
      const caught = await Promise.all(own.map((fault) => slot(() => caughtBy(fault))))
      expect(own.filter((_, i) => caught[i]?.length === 0).map(({ name, says }) => `${name}: ${says}`)).toEqual([])
    },
  )
})
