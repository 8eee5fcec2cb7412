import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type DriverProcess,
  type DriverRun,
  type DriverSession,
  runDriver,
  runSession,
  startDriver,
} from '../src/driver.js'
import { loadTable, RULES, SUITES, specTable, type Table, type TableCase } from '../src/index.js'
import { realClock } from './real-clock.js'

interface Fault {
  name: string
  rule: string
  says: string
}

const folder = fileURLToPath(new URL('drivers/python/', specTable('retry-cases')))
const tables = SUITES.map((suite) => loadTable(specTable(suite)))

// What no table can express, as README.md says.
const WITHOUT_ROWS = ['R18', 'I4']

// A day of windows each, half a second of Python.
const LONG = ['backoff-scenarios/l8-accepted-within-a-day', 'backoff-scenarios/l8-a-surge-that-settles']

// The interpreter itself: what stands for it on PATH may be a script that takes longer to start than Python.
const asked = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' })
const python = asked.status === 0 ? asked.stdout.trim() : null

// The port is loaded once for each fault: without what is compiled being kept that takes three times as long.
const kept = fileURLToPath(new URL('../.report/pycache/', import.meta.url))
const env = { ...process.env, PYTHONPYCACHEPREFIX: kept, PYTHONDONTWRITEBYTECODE: '' }

const listed =
  python === null ? null : spawnSync(python, ['wrong.py', '--list'], { cwd: folder, env, encoding: 'utf8' })
// Written by wrong.py of this repository; what is missing in it fails the tests below.
const faults: readonly Fault[] = listed?.status === 0 ? (JSON.parse(listed.stdout) as Fault[]) : []

const driver = (...script: string[]): DriverProcess => ({
  command: python ?? 'python3',
  args: ['-S', ...script], // -S: without the packages that somebody installed; the port needs none
  cwd: folder,
  env,
  clock: realClock,
  helloTimeoutMs: 60_000, // on a machine with other work
  timeoutMs: 60_000,
})

/** What a row costs: attempts that are played before the one that it is about; a day of windows. */
const cost = (row: TableCase): number => ('attempt' in row ? row.attempt : 'steps' in row ? row.steps.length : 1)

/** The rows of a rule, a few at a time, the cheap ones first: most faults are caught by one of those. */
function partsOf(rule: string): Table[] {
  return tables.flatMap((table) => {
    const own = table.cases.filter((row) => row.rule === rule)
    const cheapFirst = own.sort(
      (a, b) => Number(LONG.includes(a.id)) - Number(LONG.includes(b.id)) || cost(a) - cost(b),
    )
    const parts: Table[] = []
    // Rows of the table's own kind, fewer of them.
    for (let i = 0; i < own.length; i += 10) parts.push({ ...table, cases: cheapFirst.slice(i, i + 10) } as Table)
    return parts
  })
}

/** Whether a row of the rule fails by what is answered: an error tells that it is broken, not that it is wrong. */
async function isCaught({ name, rule }: Fault, session: DriverSession): Promise<boolean> {
  const asked = (run: DriverRun): object => ({ ...run, fault: name }) // a field that wrong.py alone knows
  const faulty: DriverSession = {
    hello: session.hello,
    run: (run) => session.run(asked(run) as DriverRun),
    close: () => session.close(),
    kill: () => session.kill(),
  }
  for (const part of partsOf(rule)) {
    const [report] = await runSession(faulty, { tables: [part] })
    const failed = report?.result.results.filter(({ verdict }) => verdict === 'failed') ?? []
    if (failed.some(({ mismatches }) => mismatches.every(({ field }) => field !== 'driver'))) return true
  }
  return false
}

describe.skipIf(python === null && process.env.CI !== 'true')('wrong drivers (needs python3)', () => {
  it('the driver that they are made of passes every row', { timeout: 120_000 }, async () => {
    const { suites } = await runDriver({ ...driver('driver.py'), tables })
    for (const { result } of suites) {
      expect(result.results.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
      expect(result.passed).toBeGreaterThan(0)
    }
  })

  it('there is one at least for each rule that has rows, and two of ingest protection', () => {
    expect(listed?.stderr).toBe('')
    const of = (rule: string): number => faults.filter((fault) => fault.rule === rule).length
    const least = (rule: string): number => (rule.startsWith('I') ? 2 : 1)
    expect(RULES.filter((rule) => !WITHOUT_ROWS.includes(rule) && of(rule) < least(rule))).toEqual([])
  })

  it('one of them by itself is a driver as any other', { timeout: 120_000 }, async () => {
    const filter = (id: string): boolean => id === 'retry-cases/r1-throttle-post'
    const { driver: hello, suites } = await runDriver({ ...driver('wrong.py', 'throttle-not-on-post'), tables, filter })
    expect(hello.name).toBe('wrong: throttle-not-on-post')
    expect(suites.map(({ result }) => result.failed)).toEqual([1, 0, 0, 0])
  })

  describe('each fault fails a row of its rule', () => {
    // Two processes, one for each core, and not one for each fault: most of a short run is its start.
    let sessions: DriverSession[] = []
    beforeAll(async () => {
      sessions = await Promise.all([1, 2].map(() => startDriver(driver('wrong.py', '--any'))))
    }, 60_000)
    afterAll(async () => {
      for (const session of sessions) await session.close()
    })

    it.each([...new Set(faults.map(({ rule }) => rule))])('%s', { timeout: 120_000 }, async (rule) => {
      const own = faults.filter((fault) => fault.rule === rule)
      const left = [...own]
      const unnoticed: string[] = []
      const work = async (session: DriverSession): Promise<void> => {
        for (let fault = left.shift(); fault; fault = left.shift())
          if (!(await isCaught(fault, session))) unnoticed.push(`${fault.name}: ${fault.says}`)
      }
      await Promise.all(sessions.map(work))
      expect(own.length).toBeGreaterThan(0)
      expect(unnoticed).toEqual([])
    })
  })
})
