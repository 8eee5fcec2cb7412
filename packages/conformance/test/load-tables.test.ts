import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tables } from '@sluice/spec'
import { afterAll, describe, expect, it } from 'vitest'
import { loadTables, specTable, TableError, validateTables } from '../src/index.js'

const report = fileURLToPath(new URL('../.report/', import.meta.url))
mkdirSync(report, { recursive: true })
const base = mkdtempSync(join(report, 'tables-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const spec = fileURLToPath(new URL('.', specTable('retry-cases')))
const PLAIN = readFileSync(new URL('./fixtures/plain.json', import.meta.url), 'utf8')

/** A folder of these files. */
function folder(name: string, files: Record<string, unknown>): string {
  const path = join(base, name)
  mkdirSync(path)
  for (const [file, content] of Object.entries(files)) {
    writeFileSync(join(path, file), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return path
}

const row = (words: string, rule = 'R1'): object => ({
  ...{ id: `retry-cases/${words}`, rule, level: 'must', name: words },
  ...{
    failure: 'status:429',
    method: 'GET',
    retry_after: null,
    attempt: 1,
    expect: { retry: true, wait_ms_min: 0, wait_ms_max: 249 },
  },
})
const table = (...cases: object[]): object => ({
  ...{ $schema: 'x', suite: 'retry-cases', version: '1.0.0', notes: [], policy: { max_attempts: 4 }, cases },
})

describe('loadTables', () => {
  it('reads a folder: tables of suites that are run and of the plain format, and nothing else', () => {
    const path = folder('mixed', {
      'b.json': table(row('one')),
      'a.json': PLAIN,
      'package.json': { name: 'x' },
      'list.json': [],
      'surfaces.json': readFileSync(tables['surface-cases'], 'utf8'),
      'tsconfig.json': '{"extends":"../x"}',
      'notes.md': 'suite',
    })
    expect(loadTables(path).map(({ file, suite, cases }) => [file, suite, cases.length])).toEqual([
      ['a.json', 'retry-cases', 4],
      ['b.json', 'retry-cases', 1],
    ])
    expect(validateTables(path)).toEqual({
      tables: [
        { file: 'a.json', suite: 'retry-cases', cases: 4 },
        { file: 'b.json', suite: 'retry-cases', cases: 1 },
        { file: 'surfaces.json', suite: 'surface-cases', cases: expect.any(Number) },
      ],
      problems: [],
      rules: null,
    })
  })

  it('reads one file, by path and by URL', () => {
    expect(loadTables(specTable('call-scenarios'))[0]?.suite).toBe('call-scenarios')
    expect(loadTables(join(base, 'mixed', 'a.json'))[0]?.cases).toHaveLength(4)
  })

  it('tells every problem of every file at once', () => {
    const path = folder('bad', {
      'a.json': table(row('one', 'R99')),
      'b.json': '{"suite":',
      'c.json': table(row('one'), row('two')),
      'd.json': table(row('two')),
    })
    const problems = [
      expect.stringMatching(/^a\.json: retry-cases\/one: rule is "R99"; allowed: /),
      expect.stringMatching(/^b\.json: invalid JSON at line 1/),
      'd.json: retry-cases/two: id is taken by a case of c.json; allowed: an id no other case has',
    ]
    const thrown = (() => {
      try {
        return loadTables(path)
      } catch (error) {
        return error
      }
    })()
    expect(thrown).toBeInstanceOf(TableError)
    expect(thrown).toMatchObject({ problems })
    expect(validateTables(path)).toMatchObject({ problems, tables: [{ file: 'c.json' }, { file: 'd.json' }] })
  })

  it('tells of a folder without tables, and of one that is not there', () => {
    const path = folder('empty', { 'package.json': {} })
    expect(() => loadTables(path)).toThrow(
      'no *.json file in it is a table to be run; a table has "suite": one of retry-cases',
    )
    expect(validateTables(path).problems).toEqual([`${path}: there is no table in it`])
    expect(() => loadTables(join(base, 'nowhere'))).toThrow(/nowhere: cannot be read: ENOENT/)
    expect(() => validateTables(join(base, 'nowhere'))).toThrow(TableError)
  })
})

describe('a file that is meant as a table', () => {
  it.each([
    [
      { suite: 'retry-case', cases: [] },
      'suite is "retry-case"; did you mean retry-cases? allowed: retry-cases, call-scenarios, backoff-scenarios, surface-cases, ingest-scenarios',
    ],
    [
      { suite: 'zz' },
      'suite is "zz"; allowed: retry-cases, call-scenarios, backoff-scenarios, surface-cases, ingest-scenarios',
    ],
    [
      { suite: 7, cases: [] },
      'suite is 7; allowed: retry-cases, call-scenarios, backoff-scenarios, surface-cases, ingest-scenarios',
    ],
    [
      { cases: [] },
      'suite is missing; allowed: retry-cases, call-scenarios, backoff-scenarios, surface-cases, ingest-scenarios, or none beside a top-level policy and cases',
    ],
  ])('but names no suite there is is an error: %j', (content, says) => {
    const path = folder(`meant-${says.length}`, { 'a.json': table(row('one')), 'b.json': content })
    expect(validateTables(path)).toMatchObject({ problems: [`b.json: ${says}`], tables: [{ file: 'a.json' }] })
    expect(() => loadTables(path)).toThrow(`b.json: ${says}`)
  })

  it('surface-cases is checked by its schema, and is not run', () => {
    const { cases, ...head } = JSON.parse(readFileSync(tables['surface-cases'], 'utf8'))
    const [one, two] = cases
    const wrong = { ...head, cases: [one, { ...two, rule: 'S9', level: 'should' }, { ...one, outcome: {} }] }
    const path = folder('surfaces', { 'surface-cases.json': wrong })
    expect(validateTables(path).problems).toEqual(
      expect.arrayContaining([
        `surface-cases.json: ${two.id}: rule is "S9"; allowed: R1–R18, H1–H5, S1–S5`,
        `surface-cases.json: ${two.id}: level is "should"; allowed: "must", "may"`,
        `surface-cases.json: ${one.id}: id of cases[2] is taken by cases[0]; allowed: an id no other case has`,
        expect.stringMatching(/^surface-cases\.json: .*: outcome\.kind is missing/),
      ]),
    )
    expect(() => loadTables(path)).toThrow('rule is "S9"')
    expect(() => loadTables(tables['surface-cases'])).toThrow(
      'surface-cases.json: suite is "surface-cases", which each surface replays with its own tests; here it can only be validated',
    )
  })

  it('ingest-scenarios is checked by the schema of each machine', () => {
    const { cases, ...head } = JSON.parse(readFileSync(tables['ingest-scenarios'], 'utf8'))
    const one = cases.find(({ machine }: { machine: string }) => machine === 'gatherer')
    const wrong = [
      { ...one, rule: 'I9', machine: 'gather' },
      { ...one, id: 'ingest-scenarios/two', steps: [{ flsh: {} }, { due: true, advance_ms: 1 }] },
      {
        ...one,
        id: 'ingest-scenarios/three',
        config: { max_keys: 1 },
        steps: [{ due: true, expect: { state: 'open' } }],
      },
    ]
    const path = folder('ingest', { 'ingest-scenarios.json': { ...head, cases: wrong } })
    expect(validateTables(path).problems).toEqual(
      expect.arrayContaining([
        `ingest-scenarios.json: ${one.id}: rule is "I9"; allowed: I1–I8`,
        expect.stringMatching(/^ingest-scenarios\.json: .*: machine is "gather"; allowed: "gatherer", "keyed_breaker"/),
        expect.stringMatching(/^ingest-scenarios\.json: .*two: steps\[0\]\.flsh is unknown; allowed: add, due, flush/),
        expect.stringMatching(/^ingest-scenarios\.json: .*two: steps\[1\] is /),
        expect.stringMatching(
          /^ingest-scenarios\.json: .*three: config\.max_keys is unknown; allowed: flush_interval_ms/,
        ),
        expect.stringMatching(/^ingest-scenarios\.json: .*three: steps\[0\]\.expect\.state is unknown/),
      ]),
    )
    expect(loadTables(tables['ingest-scenarios']).map(({ suite }) => suite)).toEqual(['ingest-scenarios'])
  })
})

describe('validateTables', () => {
  it('finds the published ones sound, each rule with a case', () => {
    const check = validateTables(spec)
    expect(check.problems).toEqual([])
    expect(check.tables.map(({ suite }) => suite)).toEqual([
      ...['backoff-scenarios', 'call-scenarios', 'ingest-scenarios', 'retry-cases', 'surface-cases'],
    ])
    expect(check.rules).toEqual(expect.arrayContaining(['R1', 'R18', 'H5', 'L1', 'L21', 'I1']))
  })

  it('a folder that states rules must cover them, in whatever suite', () => {
    const README = '### R1\n\n**One.**\n\n### R2\n\n**Two.**\n\n### S1\n\n**A surface.**\n'
    const other = JSON.parse(readFileSync(tables['surface-cases'], 'utf8'))
    const path = folder('spec', { 'README.md': README, 'retry-cases.json': table(row('one')), 'other.json': other })
    expect(validateTables(path)).toMatchObject({
      rules: ['R1', 'R2', 'S1'],
      problems: ['spec: R2 has no case; add one that an implementation without the rule fails'],
    })
    // One file is a table, and no spec.
    expect(validateTables(join(path, 'retry-cases.json'))).toMatchObject({ rules: null, problems: [] })
    const prose = folder('prose', { 'README.md': '### About\n\n**Bold.**\n', 'a.json': table(row('one')) })
    expect(validateTables(prose)).toMatchObject({ rules: null, problems: [] })
  })
})
