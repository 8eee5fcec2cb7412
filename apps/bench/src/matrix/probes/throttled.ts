import { answer, LONG, ok, type Probe } from '../probe.js'

const group = 'A throttled call'
const long = { group, method: 'GET', windowMs: LONG } as const

/** 429: what it waits, and whether it comes back at all. */
export const throttled: Probe[] = [
  {
    id: 'stated-get',
    rule: 'R8',
    group,
    title: '429 with `Retry-After: 2` on a GET: comes back, not before two seconds',
    method: 'GET',
    answers: [answer(429, { 'retry-after': '2' }, 2000), ok],
    expect: 'comes-back',
  },
  {
    id: 'stated-post',
    rule: 'R1',
    group,
    title: '429 with `Retry-After: 2` on a POST: comes back too, the server refused before acting',
    method: 'POST',
    answers: [answer(429, { 'retry-after': '2' }, 2000), ok],
    expect: 'comes-back',
  },
  {
    id: 'zero',
    rule: 'R8',
    group,
    title: '429 with `Retry-After: 0`: comes back at once',
    method: 'GET',
    answers: [answer(429, { 'retry-after': '0' }, 0), answer(429, { 'retry-after': '0' }, 0), ok],
    expect: 'at-once',
    reading: true,
    tries: 4,
  },
  {
    id: 'unstated',
    rule: 'R7',
    group,
    title: '429 without a wait: comes back after a wait of its own making',
    method: 'GET',
    answers: [answer(429)],
    expect: 'backs-off',
    tries: 4,
  },
  {
    ...long,
    id: 'without-end',
    rule: 'R5',
    title: '429 with `Retry-After: 0` for ever: the call ends by itself within 34 s',
    answers: [answer(429, { 'retry-after': '0' }, 0)],
    expect: 'ends',
  },
  {
    ...long,
    id: 'an-hour',
    rule: 'R6',
    title: '`Retry-After: 3600`: not back before that hour, and the caller is told at once',
    answers: [answer(429, { 'retry-after': '3600' }, 3_600_000)],
    expect: 'fails-fast',
  },
  {
    ...long,
    id: 'a-thousand-days',
    rule: 'R18',
    title: '`Retry-After: 86400000`, more milliseconds than a timer holds: the same',
    answers: [answer(429, { 'retry-after': '86400000' }, 86_400_000_000)],
    expect: 'fails-fast',
  },
  {
    ...long,
    id: 'twenty-digits',
    rule: 'H2',
    title: '`Retry-After: 99999999999999999999`: the same',
    answers: [answer(429, { 'retry-after': '99999999999999999999' }, Number.MAX_SAFE_INTEGER)],
    expect: 'fails-fast',
  },
]
