import { describe, expect, it } from 'vitest'
import { noColour } from '../../src/colour.js'
import { freshnessIn } from '../../src/ingest/figures.js'
import { ingestIntroduction, ingestLine, ingestReport } from '../../src/ingest/report.js'
import { doubtsAboutIngest, ingestVerdict } from '../../src/ingest/verdict.js'
import { figures, notice } from './figures.js'

const QUIET = { perMinute: 0.5, processors: 2 }
const late = (fromMs: number) =>
  figures().others.map((it) => (it.atMs >= fromMs && it.atMs < 15_000 ? { ...it, tookMs: it.tookMs * 3 } : it))

it('says how soon rows were seen, by nearest rank, in each part of the act', () => {
  const seen = { halfMs: 500, nineOfTenMs: 900, p99Ms: 990 }
  expect(freshnessIn(figures(), 'before')).toEqual({ rowsPerSecond: 260, ...seen })
  expect(freshnessIn(figures(), 'beside')).toEqual({ rowsPerSecond: 130, ...seen })
  expect(freshnessIn(figures({ others: [] }), 'after')).toBeNull()
})

it('shows the figures as a table, and says what they mean', () => {
  const lines = ingestReport(figures(), noColour, QUIET).split('\n')
  expect(lines.slice(0, 6)).toEqual([
    'sent to seen        rows/s   half  9 of 10    99 of 100',
    'the others, before     260  0.5 s    0.9 s        1.0 s',
    'beside the runaway     130  0.5 s    0.9 s        1.0 s',
    'while it recovers      325  0.5 s    0.9 s        1.0 s',
    'the runaway itself    1000                  up to 5.1 s',
    '',
  ])
  const prose = lines.join(' ')
  expect(prose).toContain('All 20000 flights were sent as events and are in the engine, each once;')
  expect(prose).toContain('Its breaker opened 6.0 s after it ran away, and its owner was told: “delayed of runaway.”')
  expect(prose).toContain('; that is within the two flush intervals (2.0 s) that they should be in.')
  expect(prose).toContain('10.0 s after it stopped, and one hold after it began, all were written')
})

it('shows what was not as it should be, beside what was, and that the machine was busy', () => {
  const some = figures({ others: late(5000) })
  const shown = ingestReport(some, noColour, { perMinute: 17.04, processors: 2 }).replace(/\s+/g, ' ')
  expect(shown).toContain('Its breaker opened 6.0 s after it ran away')
  expect(shown).toContain('all were written, and it flowed again.')
  expect(shown).not.toContain('The others were not delayed')
  expect(shown).toContain(
    'Not what was to be shown: Rows of the others were seen later than before the runaway began. ' +
      'This machine has a load of 17.0 on 2 processors: its figures are not those of a quiet one.',
  )
  expect(ingestReport(some, noColour, QUIET)).not.toContain('load')
})

it('is 80 columns wide at most', () => {
  const texts = [
    ingestReport(figures({ notices: [] }), noColour, { perMinute: 117.34, processors: 64 }),
    ingestReport(figures(), noColour, QUIET),
  ]
  for (const text of [...texts, ingestIntroduction(1000)])
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
})

it('has one line for what is going on', () => {
  const sight = { atMs: 0, state: 'delayed' as const, rows: 9000, oldestMs: 5140 }
  expect(ingestLine({ phase: 'runaway', phaseMs: 6200, sight, othersMs: 940 })).toBe(
    'Runaway 6s: others 0.9 s; runaway delayed, 9000 rows wait, oldest 5.1 s',
  )
  expect(ingestLine({ phase: 'calm', phaseMs: 0, sight: null, othersMs: null })).toBe('Calm 0s: others –')
  expect(ingestLine({ phase: 'sizing', phaseMs: 0, sight: null, othersMs: null })).toMatch(/^Trying/)
})

describe('what was to be shown was not', () => {
  const moments = figures().moments
  it.each([
    ['nothing', {}, []],
    ['no breaker', { moments: { ...moments, openedMs: null } }, ['The breaker of the runaway did not open.']],
    ['no notice', { notices: [] }, ['Its owner was not told that it is delayed.']],
    [
      'another was delayed',
      { notices: [notice('delayed'), notice('delayed', 'flights_a_to_c')] },
      ['Another was not left alone: delayed of flights_a_to_c.'],
    ],
    ['late', { others: late(5000) }, ['Rows of the others were seen later than before the runaway began.']],
    [
      'no recovery',
      { moments: { ...moments, recoveredMs: null } },
      ['The runaway was not written as usual again in time.'],
    ],
    [
      'a row that is there twice',
      { countedOthers: { sent: 20_000, rows: 20_001, events: 20_000 } },
      ['Of the flights 20000 were accepted, and 20001 rows are in the engine, 20000 different ones.'],
    ],
    [
      'rows that are lost',
      { countedRunaway: { sent: 10_000, rows: 9_999, events: 9_999 } },
      ['Of the events of the runaway 10000 were accepted, and 9999 rows are in the engine, 9999 different ones.'],
    ],
  ])('%s', (_, changes, doubts) => {
    expect(doubtsAboutIngest(figures(changes))).toEqual(doubts)
  })

  it('is said where one of a hundred was late beside it, though nine of ten were not', () => {
    const others = figures().others.map((it) => (it.atMs === 5000 + 40 * 99 ? { ...it, tookMs: 5000 } : it))
    const some = figures({ others: others.map((it) => (it.atMs === 5000 + 40 * 98 ? { ...it, tookMs: 4000 } : it)) })
    expect(doubtsAboutIngest(some)).toEqual([])
    expect(ingestVerdict(some).join(' ')).toMatch(/seen 4\.0 s after .* and 1\.0 s before .*; that is above the two/)
  })

  it('is no doubt where the machine alone is slow, and is said', () => {
    const slow = figures({ others: late(0) })
    expect(doubtsAboutIngest(slow)).toEqual([])
    expect(ingestVerdict(slow).join(' ')).toContain('both are above the two flush intervals (2.0 s)')
  })
})
