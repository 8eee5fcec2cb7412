import type { NodeLimit, NodeStatus } from '@sluice/client'
import { expect, test } from 'vitest'
import { inWords } from '../src/status/in-words.js'
import { wellLimit } from './statuses.js'

const words = (limit: Partial<NodeLimit>, state: NodeStatus['state'] = 'up'): string => {
  const { mood, word, sentence } = inWords({ name: 'n', state, limit: { ...wellLimit, ...limit } }, () => '12:00:05')
  return `${mood}: ${word}. ${sentence}`
}

test.each([
  [{}, 'good: All is well. The limit is 8 of 8: the engine answers as usual.'],
  [
    { ratio: 1.3 }, // the limit falls only above 1.4, and with the kill switch never
    'slow: Slower. It answers 1.3 times as slowly as usual. The limit is still 8 of 8.',
  ],
  [
    { limit: 6, latency_ceiling: 6, ratio: 1.83 },
    'slow: Slowed down. It answered 1.8 times as slowly as usual, so the limit fell to 6 of 8.',
  ],
  [
    { limit: 5, latency_ceiling: 5, ratio: 1.02 },
    'slow: Recovering. It answers as usual again. The limit is 5 of 8, and rises by one a window.',
  ],
  [
    { limit: 4, throttle_ceiling: 4, latency_ceiling: 6 },
    'bad: Throttled. The engine was short of something and refused. The limit is 4 of 8, and rises by one a second.',
  ],
  [
    { hold_until: '2026-01-01T12:00:05Z', throttle_ceiling: 4 },
    'bad: On hold. The engine asked for a pause: nothing starts before 12:00:05.',
  ],
  [
    { ratio: null, baseline_ms: null },
    'unknown: Learning. The limit is 8 of 8. What is usual is not known yet: windows with enough queries tell.',
  ],
] as const)('%o', (limit, expected) => {
  expect(words(limit)).toBe(expected)
})

test('a node that does not answer', () => {
  expect([words({}, 'down'), words({}, 'starting')]).toEqual([
    'bad: Down. The engine answers no queries now.',
    'bad: Starting. The engine answers no queries now.',
  ])
})
