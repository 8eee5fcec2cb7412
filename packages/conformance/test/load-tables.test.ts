import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
  it('reads a folder: tables of a known suite and of the plain format, and nothing else', () => {
    const path = folder('mixed', {
      'b.json': table(row('one')),
      'a.json': PLAIN,
      'package.json': { name: 'x' },
      'list.json': [],
      'other.json': { suite: 'surface-cases', cases: [] },
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
      ],
      ignored: [
        { file: 'list.json', why: 'is no object' },
        { file: 'other.json', why: 'is of the suite "surface-cases"' },
        { file: 'package.json', why: 'has no suite' },
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
    expect(() => loadTables(path)).toThrow('no *.json file in it is a table; a table has "suite": one of retry-cases')
    expect(validateTables(path).problems).toEqual([`${path}: there is no table in it`])
    expect(() => loadTables(join(base, 'nowhere'))).toThrow(/nowhere: cannot be read: ENOENT/)
    expect(() => validateTables(join(base, 'nowhere'))).toThrow(TableError)
  })
})

describe('validateTables', () => {
  it('finds the published ones sound, each rule with a case', () => {
    const check = validateTables(spec)
    expect(check.problems).toEqual([])
    expect(check.tables.map(({ suite }) => suite)).toEqual(['call-scenarios', 'retry-cases'])
    expect(check.rules).toEqual(expect.arrayContaining(['R1', 'R18', 'H5']))
  })

  it('a folder that states rules must cover them, in whatever suite', () => {
    const README = '### R1\n\n**One.**\n\n### R2\n\n**Two.**\n\n### S1\n\n**A surface.**\n'
    const other = { suite: 'surface-cases', cases: [{ rule: 'S1' }] }
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
