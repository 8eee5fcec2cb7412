import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

// Workspaces that live for one test, inside this package so that vitest resolves from them.
const here = fileURLToPath(new URL('..', import.meta.url))
const script = join(here, '..', '..', 'scripts', 'conformance.mjs')
mkdirSync(join(here, '.report'), { recursive: true })
const base = mkdtempSync(join(here, '.report', 'workspace-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const PLAIN = readFileSync(new URL('./fixtures/plain.json', import.meta.url), 'utf8')

interface FakePackage {
  replays?: unknown
  dependencies?: Record<string, string>
  /** The text of test/replay.test.ts. */
  replayTest?: string
}

/** A workspace with a spec/ and these packages; answers its folder. */
function workspace(name: string, packages: Record<string, FakePackage>): string {
  const root = join(base, name)
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  write('pnpm-workspace.yaml', 'packages:\n  - spec\n  - packages/*\nconfirmModulesPurge: false\n')
  write('spec/package.json', '{"name": "spec"}')
  write('spec/retry-cases.json', '{"suite": "retry-cases"}')
  write('spec/call-scenarios.json', '{"suite": "call-scenarios"}')
  for (const [folder, { replays, dependencies = {}, replayTest }] of Object.entries(packages)) {
    const sluice = replays === undefined ? {} : { sluice: { replays } }
    const manifest = { name: `@fake/${folder}`, type: 'module', exports: { '.': './index.js', './sub': './sub.js' } }
    write(`packages/${folder}/package.json`, JSON.stringify({ ...manifest, dependencies, ...sluice }))
    write(`packages/${folder}/index.js`, 'export const callOnce = (call) => call.fetch(call.request.url)\n')
    write(`packages/${folder}/plain.json`, PLAIN)
    if (replayTest !== undefined) write(`packages/${folder}/test/replay.test.ts`, replayTest)
  }
  return root
}

/** A replay test that only reports these counts. */
function reports(entry: string, counts: Record<string, number>): string {
  const report = { entry, suite: 'retry-cases', passed: 0, failed: 0, differs: 0, skipped: 0, decision: 0, ...counts }
  return `
    import { mkdirSync, writeFileSync } from 'node:fs'
    import { expect, it } from 'vitest'
    it('reports', () => {
      mkdirSync('.report', { recursive: true })
      writeFileSync('.report/replay-retry-cases.json', ${JSON.stringify(JSON.stringify(report))})
      expect(true).toBe(true)
    })`
}

function run(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST)/.test(name)))
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { env: { ...env, NO_COLOR: '1' } })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

/** A real replay of the plain table; `through` is how a call is made. */
const realReplay = (through: string): string => `
  import { replay } from ${JSON.stringify(join(here, 'src', 'vitest.ts'))}
  import { testClock } from ${JSON.stringify(join(here, 'test', 'test-clock.ts'))}
  import { callOnce as behindTheEntry } from '../index.js'

  const subjectOf = (module) => ({
    async call(call) {
      const response = await ${through}(call)
      return {
        outcome: response.status < 400 ? 'ok' : 'gave_up', status: response.status, failure: null,
        reason: response.headers.has('retry-after') ? 'wait_over_cap' : 'attempts_exhausted',
        retry_after_ms: null, attempts: 1, waited_ms: 0,
      }
    },
  })
  replay('@fake/real', () => import('../index.js'), subjectOf, { makeClock: testClock, tables: ['plain.json'] })`

describe('conformance.mjs', { timeout: 60_000 }, () => {
  it('prints package × suite and exits 0 where every declared cell passed', async () => {
    const root = workspace('good', {
      one: {
        replays: ['retry-cases'],
        replayTest: reports('@fake/one', { passed: 7, skipped: 3, decision: 2, total: 10 }),
      },
      two: { replays: ['retry-cases'], replayTest: reports('@fake/two/sub', { passed: 10, total: 10 }) },
      other: {},
    })
    const { code, out, err } = await run('--root', root)
    expect(err).toBe('')
    expect(out).toBe(
      [
        'package    retry-cases',
        '@fake/one  7/10 (2 decision skipped, 1 otherwise skipped)',
        '@fake/two  10/10',
        '',
      ].join('\n'),
    )
    expect(code).toBe(0)
  })

  it('says which cell is empty, incomplete, missing, failed, or not the package’s own entry, and exits 1', async () => {
    const root = workspace('bad', {
      empty: { replays: ['retry-cases'], replayTest: reports('@fake/empty', { skipped: 10, total: 10 }) },
      failing: { replays: ['retry-cases'], replayTest: reports('@fake/failing', { passed: 9, failed: 1, total: 10 }) },
      foreign: { replays: ['retry-cases'], replayTest: reports('@fake/empty', { passed: 10, total: 10 }) },
      half: { replays: ['retry-cases'], replayTest: reports('@fake/half', { passed: 5, total: 10 }) },
      missing: {
        replays: ['retry-cases', 'call-scenarios'],
        replayTest: reports('@fake/missing', { passed: 10, total: 10 }),
      },
      testless: { replays: ['retry-cases'] },
      undeclared: { dependencies: { '@sluice/core': '*' } },
      unknown: { replays: ['retry'] },
    })
    const { code, out, err } = await run('--root', root)
    expect(err.trim().split('\n')).toEqual([
      '@fake/undeclared depends on @sluice/core but declares no suites: add "sluice": {"replays": […]} to packages/undeclared/package.json.',
      'packages/unknown/package.json: sluice.replays names "retry"; allowed: retry-cases, call-scenarios.',
      '@fake/empty × retry-cases is empty: 0 of 10 rows passed.',
      '@fake/failing × retry-cases failed: 1 of 10 rows; run vitest there to see them.',
      '@fake/foreign × retry-cases replayed "@fake/empty", which is no public entry of @fake/foreign in its exports.',
      '@fake/half × retry-cases is incomplete: 5 of 10 rows ran.',
      '@fake/missing × call-scenarios is missing: no .report/replay-call-scenarios.json was written.',
      '@fake/testless × retry-cases is missing: no .report/replay-retry-cases.json was written, there is no test/replay.test.ts.',
    ])
    expect(out).toMatch(/^@fake\/missing +10\/10 +missing$/m)
    expect(code).toBe(1)
  })

  it('takes no old report for a new one', async () => {
    const root = workspace('old', { one: { replays: ['retry-cases'], replayTest: 'throw new Error("it broke")' } })
    mkdirSync(join(root, 'packages/one/.report'), { recursive: true })
    const old = { entry: '@fake/one', passed: 10, failed: 0, differs: 0, skipped: 0, decision: 0, total: 10 }
    writeFileSync(join(root, 'packages/one/.report/replay-retry-cases.json'), JSON.stringify(old))
    const { code, err } = await run('--root', root)
    expect(err).toContain('it broke')
    expect(err).toContain(
      '@fake/one × retry-cases is missing: no .report/replay-retry-cases.json was written, its test/',
    )
    expect(code).toBe(1)
  })

  it('shows the mismatches of a package that replays a table for real', async () => {
    const root = workspace('real', { real: { replays: ['retry-cases'], replayTest: realReplay('module.callOnce') } })
    const { code, out, err } = await run('--root', root)
    expect(err).toContain(
      'retry-cases/1-429-with-retry-after-2-on-a-post-waits-two-seconds: 429 with Retry-After: 2 on a POST',
    )
    expect(err).toContain('sends: expected 2, got 1')
    expect(out).toContain('@fake/real  1/4 (2 failed, 1 decision skipped)')
    expect(code).toBe(1)
  })

  it('fails a package that is not called through its public entry', async () => {
    const root = workspace('behind', { real: { replays: ['retry-cases'], replayTest: realReplay('behindTheEntry') } })
    const { code, out, err } = await run('--root', root)
    expect(err).toContain('not called through its public entry: no export of @fake/real')
    expect(out).toContain('@fake/real  0/4 (3 failed, 1 decision skipped)')
    expect(code).toBe(1)
  })

  it('answers usage errors with exit code 2, and --help with 0', async () => {
    const unknown = await run('--all')
    expect(unknown.err).toMatch(/^Unknown option '--all'\n\nUsage: /)
    expect(unknown.code).toBe(2)
    const nowhere = await run('--root', join(base, 'nowhere'))
    expect(nowhere.err).toBe(
      `${join(base, 'nowhere', 'spec')} does not exist; --root must name a workspace with a spec/\n`,
    )
    expect(nowhere.code).toBe(2)
    const help = await run('--help')
    expect(help.out).toContain('Exit codes: 0 every declared cell passed; 1 ')
    expect(help.code).toBe(0)
  })

  it('fails a workspace in which nothing is declared', async () => {
    const { code, err } = await run('--root', workspace('none', { other: {} }))
    expect(err).toBe('No package declares "sluice": {"replays": […]} in its package.json: nothing was replayed.\n')
    expect(code).toBe(1)
  })
})
