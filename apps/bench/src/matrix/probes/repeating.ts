import { answer, ok, type Probe } from '../probe.js'

const group = 'What it repeats'

/** Failures after which the server may have acted. */
export const repeating: Probe[] = [
  {
    id: 'unavailable-get',
    rule: 'R2',
    group,
    title: '503 on a GET: sent again',
    method: 'GET',
    answers: [answer(503), ok],
    expect: 'returns',
  },
  {
    id: 'unavailable-stated',
    rule: 'R8',
    group,
    title: '503 with `Retry-After: 2` on a GET: not before two seconds',
    method: 'GET',
    answers: [answer(503, { 'retry-after': '2' }, 2000), ok],
    expect: 'comes-back',
  },
  {
    id: 'unavailable-post',
    rule: 'R2',
    group,
    title: '503 on a POST without an Idempotency-Key: not repeated without one',
    method: 'POST',
    answers: [answer(503), ok],
    expect: 'once',
  },
  {
    id: 'unavailable-keyed',
    rule: 'R2',
    group,
    title: '503 on a POST with an Idempotency-Key: sent again with the same key',
    method: 'POST',
    keyed: true,
    answers: [answer(503), ok],
    expect: 'returns',
  },
  {
    id: 'reset-get',
    rule: 'R3',
    group,
    title: 'connection reset on a GET: sent again',
    method: 'GET',
    answers: ['reset', ok],
    expect: 'returns',
  },
  {
    id: 'reset-post',
    rule: 'R2',
    group,
    title: 'connection reset on a POST without an Idempotency-Key: not repeated without one',
    method: 'POST',
    answers: ['reset', ok],
    expect: 'once',
  },
]
