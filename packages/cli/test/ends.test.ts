import { duration, type End, messageOf, reportOf } from '@sluice/core/words'
import { describe, expect, test } from 'vitest'
import { exitCodeOf } from '../src/ends/exit-code.js'
import { type SurfaceCase, surfaceCases } from './surface-cases.js'

const endOf = ({ outcome }: SurfaceCase): End => ({
  ...{ kind: outcome.kind, status: outcome.status, failure: outcome.failure },
  reason: outcome.reason as End['reason'], // the schema of the table lists the same words
  ...{ retryAfterMs: outcome.retry_after_ms, attempts: outcome.attempts, waitedMs: outcome.waited_ms },
  ...{ cause: outcome.cause ?? null, title: outcome.title ?? null, deadlineMs: outcome.deadline_ms ?? null },
})

// The replay shows what a command really does; here also the ends that only a limiter leads to, and it takes none.
describe('S1: an end in words', () => {
  for (const row of surfaceCases) {
    const wanted = row.expect.cli
    if (!wanted) continue
    test(`${row.id}: ${row.name}`, () => {
      const end = endOf(row)
      const message = messageOf(end)
      expect(message === null ? '' : `Error: ${message}`).toBe(wanted.stderr)
      expect(exitCodeOf(end)).toBe(wanted.exit_code)
      if (wanted.json !== null) expect(reportOf(end)).toMatchObject(wanted.json)
    })
  }

  test('only a throttle has an exit code that can be named', () => {
    const codes = surfaceCases.map((row) => [row.outcome.kind, exitCodeOf(endOf(row), 75)])
    expect(new Set(codes.filter(([kind]) => kind === 'throttled').map(([, code]) => code))).toEqual(new Set([75]))
    expect(codes.filter(([kind]) => kind !== 'throttled').map(([, code]) => code)).not.toContain(75)
  })

  test.each([
    [1, '1ms'],
    [999, '999ms'],
    [1001, '1.1s'],
    [59_950, '60s'],
    [3_600_000, '3600s'],
  ])('%i ms are %s', (ms, text) => {
    expect(duration(ms)).toBe(text)
  })
})
