import { describe, expect, it } from 'vitest'
import { ruleSentences } from '../src/explain/rule-text.js'
import { entriesOf, explainCase, loadTable, SUITES, specTable, UnknownCaseError } from '../src/index.js'
import { retryTable, rows, scenario, scenarioTable } from './driver-table.js'

const tables = [
  retryTable(rows.overCap, { ...rows.half, retry_after: ' 5 ', policy: { base_ms: 8 }, needs: ['hints'] }),
  scenarioTable(
    scenario('two', {
      answers: [{ status: 429, headers: { 'retry-after': '1' } }, { status: 200 }],
      expect: { sends: 2, waits_ms: [[0, 9]] },
    }),
  ),
]

describe('explainCase', () => {
  it('gives the rule, the input, the expectation, and the line a driver is sent', () => {
    const lines = explainCase('retry-cases/over-the-cap', tables).split('\n')
    expect(lines.slice(0, -2)).toEqual([
      'retry-cases/over-the-cap',
      'over the cap',
      '',
      'R1: A throttle is retried on any method.',
      '',
      'given',
      '  failure: status:429',
      '  method: GET',
      '  retry_after: "11"',
      '  attempt: 1',
      '  policy: the table’s',
      '  random: any: 0, 0.5 and 1 − 2^−53 are tried',
      '',
      'expected',
      '  retry: false',
      '  fail_fast: true',
      '  reason: wait_over_cap',
      '  retry_after_ms: 11000',
      '',
      'as a driver is asked it',
    ])
    const { expect: _, ...asked } = rows.overCap
    expect(JSON.parse(lines.at(-2) ?? '')).toMatchObject({ cmd: 'run', suite: 'retry-cases', case: asked, random: 0 })
  })

  it('says what a row changes in the policy, and what it needs', () => {
    const text = explainCase('half-a-wait', tables)
    expect(text).toContain('\n  policy, where it differs from the table’s: base_ms 8\n')
    expect(text).toContain('\n  retry_after: " 5 "\n')
    expect(text).toContain('\n  random: 0.5\n')
    expect(text).toContain('\nSkipped without: hints\n')
  })

  it('lists answers in turn, and knows a row by its name in wire mode', () => {
    const text = explainCase('wire/two', tables)
    expect(text).toContain('  answers:\n    1. status 429, headers {"retry-after":"1"}\n    2. status 200\n')
    expect(text).toContain('  waits_ms: [[0,9]]\n')
  })

  it('names the nearest where there is no such case', () => {
    const explain = (id: string) => () => explainCase(id, tables)
    expect(explain('retry-cases/over-the-kap')).toThrow(UnknownCaseError)
    expect(explain('retry-cases/over-the-kap')).toThrow(
      'no case is called "retry-cases/over-the-kap"; did you mean retry-cases/over-the-cap?',
    )
    expect(explain('xyz')).toThrow('no case is called "xyz"; list the cases to see what there is')
  })

  // Over a thousand rows: on a busy machine that takes longer than a test usually may.
  it('explains every published case', { timeout: 60_000 }, () => {
    const published = SUITES.map((suite) => loadTable(specTable(suite)))
    for (const { row } of published.flatMap(entriesOf)) {
      const text = explainCase(row.id, published)
      expect(text).toContain(`\n${row.rule}: `)
      expect(text).not.toContain('[object')
    }
  })
})

it('a rule is the sentence it begins with', () => {
  const text =
    '### R1\n\n**One\nsentence about `x`.** More **bold**.\n\n### Other\n\n**No rule.**\n\n### H2\n\nnothing bold\n'
  expect([...ruleSentences(text)]).toEqual([['R1', 'One sentence about x.']])
})
