import { describe, expect, it } from 'vitest'
import { type CaseResult, exitCodeOf, type Report, reporters, type Verdict } from '../src/index.js'
import { tally } from '../src/run/run-table.js'

function result(words: string, verdict: Verdict, more: Partial<CaseResult> = {}): CaseResult {
  return {
    id: `retry-cases/${words}`,
    rule: 'R9',
    name: `a sentence about ${words}`,
    scope: 'call',
    verdict,
    skipReason: null,
    mismatches: [],
    draw: null,
    sends: 1,
    mustSend: true,
    ...more,
  }
}

const wait = { field: 'wait_ms', expected: '0 to 249', actual: 250 }
const report: Report = {
  subject: { name: 'my <client>', version: '1.2', language: 'python' },
  durationMs: 1234.5,
  suites: [
    {
      suite: 'retry-cases',
      file: 'mine.json',
      result: tally([
        result('passes', 'passed'),
        result('fails', 'failed', {
          mismatches: [wait, { field: 'reason', expected: 'a & "b"', actual: undefined }],
          draw: 0.5,
        }),
        result('known', 'known', { mismatches: [wait], rule: null }),
        result('may', 'differs', { mismatches: [wait] }),
        result('skips', 'skipped', { skipReason: 'needs hints #1' }),
      ]),
      untold: { body_released: 3 },
    },
    { suite: 'wire', file: 'call-scenarios.json', result: tally([result('wires', 'passed')]), untold: {} },
  ],
}

const PRETTY = `my <client> 1.2 (python)

✗ R9 retry-cases/fails: a sentence about fails (random 0.5)
  wait_ms: expected 0 to 249, got 250
  reason: expected a & "b", got nothing

~ R9 retry-cases/may: a sentence about may
  may differ
  wait_ms: expected 0 to 249, got 250

retry-cases (mine.json): 1 passed, 1 failed, 1 known to fail, 1 may differ, 1 skipped
  1 skipped: needs hints #1
  3 × body_released was not told
wire: 1 passed
2 passed, 1 failed in 1.2 s
`

describe('pretty', () => {
  it('says what failed, and counts', () => {
    expect(reporters.pretty(report)).toBe(PRETTY)
  })

  it('is coloured where that was asked for, and says the same', () => {
    const colored = reporters.pretty(report, { color: true })
    expect(colored).toContain('\u001b[31m✗\u001b[0m R9 retry-cases/fails')
    expect(colored).toContain('\u001b[31m1 failed\u001b[0m')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escapes themselves are looked for.
    expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(PRETTY)
  })

  it('an unknown version or language is not mentioned', () => {
    const { subject, ...rest } = report
    const nameless = { ...rest, subject: { ...subject, version: null, language: null } }
    expect(reporters.pretty(nameless).split('\n')[0]).toBe('my <client>')
  })
})

it('json has every case, and what was missing', () => {
  const value = JSON.parse(reporters.json(report))
  expect(value).toMatchObject({
    subject: { name: 'my <client>', version: '1.2', language: 'python' },
    duration_ms: 1235,
    suites: [
      {
        suite: 'retry-cases',
        file: 'mine.json',
        ...{ passed: 1, failed: 1, known: 1, differs: 1, skipped: 1 },
        skipped_by_reason: { 'needs hints #1': 1 },
        untold: { body_released: 3 },
      },
      { suite: 'wire', passed: 1, failed: 0 },
    ],
  })
  expect(value.suites[0].cases).toEqual([
    { id: 'retry-cases/passes', rule: 'R9', name: 'a sentence about passes', verdict: 'passed' },
    {
      id: 'retry-cases/fails',
      rule: 'R9',
      name: 'a sentence about fails',
      verdict: 'failed',
      draw: 0.5,
      mismatches: [wait, { field: 'reason', expected: 'a & "b"', missing: true }],
    },
    { id: 'retry-cases/known', rule: null, name: 'a sentence about known', verdict: 'known', mismatches: [wait] },
    { id: 'retry-cases/may', rule: 'R9', name: 'a sentence about may', verdict: 'differs', mismatches: [wait] },
    {
      id: 'retry-cases/skips',
      rule: 'R9',
      name: 'a sentence about skips',
      verdict: 'skipped',
      skip_reason: 'needs hints #1',
    },
  ])
})

describe('junit', () => {
  it('is XML, escaped', () => {
    expect(reporters.junit(report)).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="my &lt;client&gt; 1.2" tests="6" failures="1" skipped="3" time="1.234">
  <testsuite name="retry-cases" tests="5" failures="1" errors="0" skipped="3">
    <testcase classname="retry-cases.R9" name="retry-cases/passes"/>
    <testcase classname="retry-cases.R9" name="retry-cases/fails">
      <failure message="wait_ms: expected 0 to 249, got 250">R9 retry-cases/fails: a sentence about fails (random 0.5)
  wait_ms: expected 0 to 249, got 250
  reason: expected a &amp; &quot;b&quot;, got nothing</failure>
    </testcase>
    <testcase classname="retry-cases" name="retry-cases/known">
      <skipped message="known to fail: wait_ms: expected 0 to 249, got 250"/>
    </testcase>
    <testcase classname="retry-cases.R9" name="retry-cases/may">
      <skipped message="may differ: wait_ms: expected 0 to 249, got 250"/>
    </testcase>
    <testcase classname="retry-cases.R9" name="retry-cases/skips">
      <skipped message="needs hints #1"/>
    </testcase>
  </testsuite>
  <testsuite name="wire" tests="1" failures="0" errors="0" skipped="0">
    <testcase classname="wire.R9" name="retry-cases/wires"/>
  </testsuite>
</testsuites>
`,
    )
  })

  it('holds no character that XML has no way to write', () => {
    const actual = 'a\u0000b\u001bc\ud800d\ufffee\tf😀'
    const bad = result('bad', 'failed', { mismatches: [{ field: 'x', expected: 1, actual }], name: 'two\nlines' })
    const xml = reporters.junit({ ...report, suites: [{ suite: 's', file: null, result: tally([bad]), untold: {} }] })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point.
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
    expect(Buffer.from(xml).toString()).toBe(xml) // no half of a pair
    expect(xml).toContain('😀')
  })
})

it('tap is TAP 14', () => {
  expect(reporters.tap(report)).toBe(`TAP version 14
1..6
ok 1 - retry-cases/passes: a sentence about passes
not ok 2 - retry-cases/fails: a sentence about fails
  ---
  rule: "R9"
  random: 0.5
  mismatches:
    - field: "wait_ms"
      expected: "0 to 249"
      actual: 250
    - field: "reason"
      expected: "a & \\"b\\""
      actual: "nothing"
  ...
not ok 3 - retry-cases/known: a sentence about known # TODO known to fail
  ---
  mismatches:
    - field: "wait_ms"
      expected: "0 to 249"
      actual: 250
  ...
not ok 4 - retry-cases/may: a sentence about may # TODO may differ
  ---
  rule: "R9"
  mismatches:
    - field: "wait_ms"
      expected: "0 to 249"
      actual: 250
  ...
ok 5 - retry-cases/skips: a sentence about skips # SKIP needs hints \\#1
ok 6 - retry-cases/wires: a sentence about wires
`)
})

it('the exit code is 1 where something failed, and 0 where it may, or is known to', () => {
  expect(exitCodeOf(report)).toBe(1)
  const mild = tally([result('may', 'differs'), result('known', 'known'), result('skips', 'skipped')])
  expect(exitCodeOf({ suites: [{ suite: 's', file: null, result: mild, untold: {} }] })).toBe(0)
})
