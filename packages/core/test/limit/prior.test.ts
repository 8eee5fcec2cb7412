import { AdaptiveSemaphore, priorOf, type SavedBaseline } from '@sluice/core'
import { VirtualClock } from '@sluice/core/testing'
import { expect, test } from 'vitest'

const DAY = 86_400_000
const NOW = 1_767_225_600_000
const saved: SavedBaseline = { version: 1, backendId: 'db-1', savedAtMs: NOW - 7 * DAY, baselineMs: 120, windows: 500 }
const given = { backendId: 'db-1', prior: { p90Ms: 90 }, expectedP90Ms: 80 }

test('L17: what was saved counts first, then a prior, then an expectation', () => {
  expect(priorOf({ ...given, saved }, NOW)).toEqual({ p90Ms: 120, windows: 500 })
  expect(priorOf(given, NOW)).toEqual({ p90Ms: 90, windows: 0 })
  expect(priorOf({ expectedP90Ms: 80 }, NOW)).toEqual({ p90Ms: 80, windows: 0 })
  expect(priorOf({}, NOW)).toBeNull()
})

test.each([
  ['older than seven days', { ...saved, savedAtMs: NOW - 7 * DAY - 1 }],
  ['of a time to come', { ...saved, savedAtMs: NOW + 7 * DAY + 1 }],
  ['of another backend', { ...saved, backendId: 'db-2' }],
  ['of another version', { ...saved, version: 2 }],
  ['without a baseline', { ...saved, baselineMs: null }],
  ['with a baseline of 0', { ...saved, baselineMs: 0 }],
  ['with a count that is none', { ...saved, windows: 1.5 }],
  ['with a date that is none', { ...saved, savedAtMs: '2026-01-01' }],
  ['no object', 'null'],
])('L17: what was saved is ignored where it is %s', (_, value) => {
  expect(priorOf({ ...given, saved: value }, NOW)).toEqual({ p90Ms: 90, windows: 0 })
})

test.each([
  [{ prior: { p90Ms: 0 } }, 'prior', 'limiter: prior must be null or have p90Ms, a number of ms above 0; got 0'],
  [
    { prior: { p90Ms: 90, windows: -1 } },
    'prior.windows',
    'limiter: prior.windows must be an integer of at least 0; got -1',
  ],
  [
    { expectedP90Ms: Number.NaN },
    'expectedP90Ms',
    'limiter: expectedP90Ms must be a number of ms above 0, or null; got NaN',
  ],
])('%j is refused', (options, field, message) => {
  expect(() => new AdaptiveSemaphore(options)).toThrow(expect.objectContaining({ name: 'TypeError', field, message }))
})

test('L17: what one limiter saves makes the next one provisional', async () => {
  const clock = new VirtualClock()
  const first = new AdaptiveSemaphore({ clock, backendId: 'db-1' })
  const window = async (latencyMs: number): Promise<void> => {
    for (let i = 0; i < 50; i++) first.report({ kind: 'success', latencyMs })
    await clock.advance(10_000)
  }
  for (let i = 0; i < 30; i++) await window(100)
  expect(first.save()).toBeNull() // thirty windows are not yet to be believed
  await window(100)
  const kept = first.save()
  expect(kept).toEqual({ version: 1, backendId: 'db-1', savedAtMs: clock.wallNow(), baselineMs: 100, windows: 31 })

  const options = { clock, saved: JSON.parse(JSON.stringify(kept)) }
  const next = new AdaptiveSemaphore({ ...options, backendId: 'db-1' })
  expect(next.snapshot()).toMatchObject({ baselineMs: 100, baselineTrust: 'provisional', ratio: null })
  expect(new AdaptiveSemaphore({ ...options, backendId: 'db-2' }).snapshot().baselineTrust).toBe('unknown')
})
