import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tables } from '@sluice/spec'
import { describe, expect, onTestFinished, test } from 'vitest'
import { run } from '../src/run.js'
import { BIN, start } from './child.js'
import { memoryWorld } from './memory-world.js'

const DRIVER = fileURLToPath(new URL('./fixtures/driver.mjs', import.meta.url))

async function conformance(...args: string[]) {
  const { world, stdout, stderr } = memoryWorld({ argv: ['conformance', ...args], env: { PATH: process.env.PATH } })
  return { code: await run(world), stdout: stdout(), stderr: stderr() }
}

const file = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'file.json'), text)
  return join(folder, 'file.json')
}

const PLAIN = {
  policy: { max_attempts: 4, base_ms: 250, per_attempt_cap_ms: 10000, total_cap_ms: 30000 },
  cases: [
    {
      ...{ name: 'a wait', failure: 'status:429', method: 'POST', retry_after: '5', attempt: 1 },
      expect: { retry: true, wait_ms_min: 5000, wait_ms_max: 5000 },
    },
  ],
}

describe('run', () => {
  test('without a command: the built-in implementation passes', async () => {
    const { code, stdout, stderr } = await conformance('run', '--run', 'r9-*')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/retry-cases: 14 passed/)
    expect(stdout).toMatch(/14 passed, 0 failed/)
  })

  test('the adaptive limit too', async () => {
    const { code, stdout } = await conformance('run', '--suite', 'backoff-scenarios', '--run', 'l?-*', '--skip', 'l8-*')
    expect(stdout).toMatch(/^backoff-scenarios: \d{3} passed$/m)
    expect(code).toBe(0)
  })

  test('calls that share it', async () => {
    const { code, stdout } = await conformance('run', '--suite', 'call-scenarios', '--run', 'l1?-*')
    expect(stdout).toMatch(/^call-scenarios: \d\d passed$/m)
    expect(code).toBe(0)
    const told = await conformance('explain', 'l12-a-retry-wait-holds-no-slot')
    expect(told.stdout).toMatch(/^Catches: The slot is kept between attempts/m)
    expect(told.stdout).toMatch(/^ {4}1\. sends 2, sent_at_ms \[0,110\], waits_ms \[100\], outcome ok/m)
  })

  test('a driver without a limiter is not asked them', async () => {
    const asked = ['run', '--suite', 'call-scenarios', '--run', 'l12-*', '--', process.execPath, DRIVER]
    const stderr = 'Error: no case was run: all were skipped (needs limiter)\n'
    expect(await conformance(...asked)).toEqual({ code: 2, stdout: '', stderr })
  })

  test('the state machines of ingest-scenarios are those of @sluice/ingest', async () => {
    const { code, stdout } = await conformance('run', '--suite', 'ingest-scenarios')
    expect(stdout).toMatch(/^@sluice\/ingest .*\n\ningest-scenarios: \d{3} passed\n\d{3} passed, 0 failed in /)
    expect(code).toBe(0)
    const both = await conformance('run', '--run', 'i7-*', '--run', 'r9-*')
    expect(both.stdout).toMatch(/^@sluice\/core, @sluice\/ingest /)
    const { stdout: told } = await conformance('explain', 'i3-a-second-ahead')
    expect(told).toContain('machine: temporal_limit')
    expect(told).toContain('{"cmd":"run","seq":1,"suite":"ingest-scenarios","config":{"drain_share":0.8,')
  })

  test('suites without a chosen case are left out', async () => {
    for (const command of [[], ['--', process.execPath, DRIVER]]) {
      const { code, stdout } = await conformance('run', '--run', 'r9-*', ...command)
      expect(code).toBe(0)
      expect(stdout.match(/^[\w-]+: .*passed/gm)).toEqual(['retry-cases: 14 passed'])
    }
    const wire = await conformance('run', '--run', 'wire/success-at-once')
    expect(wire.stdout.match(/^[\w-]+: .*passed/gm)).toEqual(['wire: 1 passed'])
  })

  test('on the wire', async () => {
    const { code, stdout } = await conformance('run', '--suite', 'wire', '--run', 'wire/success-at-once')
    expect(code).toBe(0)
    expect(stdout).toMatch(/wire: 1 passed/)
  })

  test('a file in the plain public format, and one whose expectation is wrong', async () => {
    expect(await conformance('run', '--tables', file(JSON.stringify(PLAIN)))).toMatchObject({ code: 0 })
    const [row] = PLAIN.cases
    const wrong = { ...PLAIN, cases: [{ ...row, expect: { retry: true, wait_ms_min: 6000, wait_ms_max: 6000 } }] }
    const { code, stdout } = await conformance('run', '--tables', file(JSON.stringify(wrong)))
    expect(code).toBe(1)
    expect(stdout).toMatch(/expected 6000, got 5000/)
  })

  test('a driver: what it lacks is skipped and told', async () => {
    const { code, stdout, stderr } = await conformance(
      'run',
      '--run',
      'r15-14-*',
      '--run',
      'r9-*',
      '--',
      process.execPath,
      DRIVER,
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^test driver 1\.2\.3/)
    expect(stdout).toMatch(/skipped: needs throttle-budget/)
  })

  test('a driver that comes back a millisecond early: 1', async () => {
    const { code, stdout } = await conformance('run', '--run', 'r9-*', '--', process.execPath, DRIVER, 'early')
    expect(code).toBe(1)
    expect(stdout).toMatch(/R9 retry-cases\/r9-total-equal/)
  })

  test.each([
    ['crash', /the driver exited with code 7/],
    ['garbage', /hello there/],
  ])('a driver that breaks (%s): 3', async (broken, says) => {
    const { code, stdout, stderr } = await conformance('run', '--run', 'r9-*', '--', process.execPath, DRIVER, broken)
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toMatch(says)
  })

  test('a list of known failures: they may fail, and must not pass', async () => {
    const known = file('retry-cases/r9-* # to be mended\n')
    const fails = await conformance(
      'run',
      '--run',
      'r9-total-equal',
      '--known-failing',
      known,
      '--',
      process.execPath,
      DRIVER,
      'early',
    )
    expect(fails).toMatchObject({ code: 0, stdout: expect.stringMatching(/1 known/) })
    const passes = await conformance('run', '--run', 'r9-total-equal', '--known-failing', known)
    expect(passes).toMatchObject({ code: 1, stdout: expect.stringMatching(/take it off/) })
  })

  test.each([
    ['json', (text: string) => JSON.parse(text).suites[0].passed === 14],
    ['junit', (text: string) => text.includes('<testsuite ')],
    ['tap', (text: string) => text.startsWith('TAP version 1')],
  ])('the reporter %s', async (name, good) => {
    const { code, stdout } = await conformance('run', '--suite', 'retry-cases', '--run', 'r9-*', '--reporter', name)
    expect([code, good(stdout)]).toEqual([0, true])
  })

  test.each([
    [
      ['--suite', 'nope'],
      '--suite: nope is none; there are retry-cases, call-scenarios, backoff-scenarios, ingest-scenarios, wire',
    ],
    [['--run', 'zzz*'], '--run, --skip: no case is called "zzz*"; sluice conformance list shows them'],
    [['--reporter', 'xml'], '--reporter: xml is none; there are pretty, json, junit, tap'],
    [
      ['--suite', 'wire', '--run', 'wire/success-at-once', '--', process.execPath, DRIVER],
      'no case was run: all were skipped (does not run wire)',
    ],
    [['--run', 'r9-*', '--skip', '*'], 'no case was run: none was chosen'],
  ])('wrong usage %j', async (args, message) => {
    expect(await conformance('run', ...args)).toEqual({ code: 2, stdout: '', stderr: `Error: ${message}\n` })
  })

  test('tables that are not sound: 2', async () => {
    const { code, stderr } = await conformance('run', '--tables', file('{"suite":"retry-cases"}'))
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Error: file\.json: /)
  })

  test('an interrupt ends the driver with it', async () => {
    const child = start(process.execPath, [
      BIN,
      'conformance',
      'run',
      '--',
      process.execPath,
      '-e',
      'console.error(process.pid); setInterval(() => {}, 1000)',
    ])
    await new Promise((resolve) => setTimeout(resolve, 1200))
    child.process.kill('SIGINT')
    expect(await child.ended).toMatchObject({ code: 130, stdout: '', stderr: '' })
  })
})

describe('list, explain, validate', () => {
  test('list', async () => {
    const { code, stdout } = await conformance('list', '--run', 'r16-empty', '--run', 'success-at-once')
    expect({ code, lines: stdout.split('\n') }).toEqual({
      code: 0,
      lines: [
        'R16  retry-cases/r16-empty  Without a token a transient failure is not retried.',
        expect.stringMatching(/^R3 {3}call-scenarios\/success-at-once {2}a 200 ends the call/),
        '',
      ],
    })
    const { stdout: json } = await conformance('list', '--run', 'r16-empty', '--json')
    expect(JSON.parse(json)).toMatchObject({ id: 'retry-cases/r16-empty', rule: 'R16', level: 'must' })
  })

  test('explain', async () => {
    const { code, stdout } = await conformance('explain', 'r9-total-equal')
    expect(code).toBe(0)
    expect(stdout).toMatch(/R9: The total cap bounds the sum of waits\./)
    expect(await conformance('explain', 'r9-total-equl')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/did you mean/),
    })
  })

  test('validate: the published tables are sound; a broken one is told', async () => {
    const good = await conformance('validate')
    expect(good).toMatchObject({ code: 0, stderr: '' })
    expect(good.stdout).toMatch(
      /^backoff-scenarios\.json: \d+ cases of backoff-scenarios\ncall-scenarios\.json: \d+ cases of call-scenarios\ningest-scenarios\.json: \d+ cases of ingest-scenarios\nretry-cases\.json: \d+ cases of retry-cases\nsurface-cases\.json: \d+ cases of surface-cases\n\d+ rules, each with a case\n$/,
    )
    expect(await conformance('validate', file('{"suite":'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/invalid JSON at line 1/),
    })
  })

  test('validate, run: a suite that is misspelt is an error, and a surface table is not run', async () => {
    const misspelt = file('{"suite":"retry-case","cases":[]}')
    const says =
      'Error: file.json: suite is "retry-case"; did you mean retry-cases? allowed: retry-cases, call-scenarios, backoff-scenarios, surface-cases, ingest-scenarios\n'
    for (const given of [
      ['validate', dirname(misspelt)],
      ['run', '--tables', dirname(misspelt)],
    ])
      expect(await conformance(...given)).toEqual({ code: 2, stdout: '', stderr: says })
    const surfaces = fileURLToPath(tables['surface-cases'])
    expect(await conformance('run', '--tables', surfaces)).toMatchObject({
      ...{ code: 2, stderr: expect.stringMatching(/here it can only be validated; to be run: retry-cases/) },
    })
  })

  test('validate --driver: one that speaks well, one that does not, and none', async () => {
    expect(await conformance('validate', '--driver', '--', process.execPath, DRIVER)).toMatchObject({
      ...{ code: 0, stdout: expect.stringMatching(/It speaks the protocol/) },
    })
    const broken = await conformance('validate', '--driver', '--', process.execPath, DRIVER, 'crash')
    expect(broken).toMatchObject({ code: 3, stdout: expect.stringMatching(/^wrong: /) })
    expect(await conformance('validate', '--driver')).toMatchObject({ code: 2 })
  })
})
