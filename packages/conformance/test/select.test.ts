import { describe, expect, it } from 'vitest'
import {
  applyKnownFailing,
  checkKnownFailing,
  globFilter,
  KnownFailingError,
  parseKnownFailing,
  runTable,
  unmatchedGlobs,
} from '../src/index.js'
import { retryTable, rows } from './driver-table.js'
import { sendsAfter } from './small-subject.js'
import { testClock } from './test-clock.js'

describe('globs', () => {
  const ids = ['retry-cases/r9-total-equal', 'retry-cases/h1-spaces', 'call-scenarios/r9-like', 'wire/stated']
  const chosen = (run: string[], skip: string[] = []): string[] => ids.filter(globFilter({ run, skip }))

  it.each([
    [[], [], ids],
    [['retry-cases/*'], [], ids.slice(0, 2)],
    [['r9-*'], [], [ids[0], ids[2]]],
    [['*'], [], ids],
    [['*/r9-*'], [], [ids[0], ids[2]]],
    [['h?-spaces', 'wire/stated'], [], [ids[1], ids[3]]],
    [['r9'], [], []],
    [['retry-cases'], [], []],
    [['r9-total.equal'], [], []],
    [[], ['wire/*'], ids.slice(0, 3)],
    [['retry-cases/*'], ['h1-*'], [ids[0]]],
    [['h1-*'], ['*'], []],
  ])('run %j, skip %j', (run, skip, expected) => {
    expect(chosen(run, skip)).toEqual(expected)
  })

  it('those that match nothing are told', () => {
    expect(unmatchedGlobs(['r9-*', 'r99-*', 'wire/', '*'], ids)).toEqual(['r99-*', 'wire/'])
  })
})

describe('known failures', () => {
  const text = '# ours\n\nretry-cases/a-stated-second  # a bug of ours\r\n over-* \n'
  const list = parseKnownFailing(text, 'known.txt')

  it('are listed one a line, with remarks', () => {
    expect(list.entries).toEqual([
      { line: 3, glob: 'retry-cases/a-stated-second' },
      { line: 4, glob: 'over-*' },
    ])
  })

  it('fail nothing where they fail, and fail where they pass', async () => {
    const table = retryTable(rows.stated, rows.overCap, rows.final, { ...rows.half, needs: ['hints'] })
    const subject = { ...sendsAfter([], { reason: 'wait_over_cap', retry_after_ms: 11_000 }), features: [] }
    const before = await runTable(table, subject, testClock)
    expect(before).toMatchObject({ passed: 1, failed: 2, known: 0, skipped: { total: 1 } })
    const after = applyKnownFailing(before, parseKnownFailing(`${text}half*\n`, 'known.txt'))
    expect(after.results.map(({ verdict }) => verdict)).toEqual(['known', 'failed', 'failed', 'skipped'])
    expect(after).toMatchObject({ passed: 0, failed: 2, known: 1, skipped: { total: 1 } })
    expect(after.results[1]?.mismatches).toEqual([
      { field: 'known failing', expected: 'a failure', actual: 'it passes: take it off known.txt' },
    ])
    expect(applyKnownFailing(before, parseKnownFailing('# none\n', 'known.txt'))).toEqual(before)
  })

  it('must name cases that there are', () => {
    checkKnownFailing(list, ['retry-cases/a-stated-second', 'retry-cases/over-the-cap'])
    const check = (): void => checkKnownFailing(list, ['retry-cases/other'])
    expect(check).toThrow(KnownFailingError)
    expect(check).toThrow(
      [
        'known.txt: line 3: no case is called "retry-cases/a-stated-second"; take it off, or correct it',
        'known.txt: line 4: no case is called "over-*"; take it off, or correct it',
      ].join('\n'),
    )
  })
})

it('a run can be of some cases only', async () => {
  const table = retryTable(rows.stated, rows.overCap)
  const result = await runTable(table, sendsAfter([1000]), testClock, { filter: globFilter({ run: ['a-stated-*'] }) })
  expect(result).toMatchObject({ passed: 1, failed: 0, skipped: { total: 0 } })
  expect(result.results).toHaveLength(1)
})
