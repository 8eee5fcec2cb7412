import { answer, ok, type Probe, type Scripted } from '../probe.js'
import { asctime, imfFixdate, rfc850, wholeSecondAfter } from './http-date.js'

const reading = { group: 'How it reads Retry-After', method: 'GET', reading: true } as const

const HOUR = 3_600_000
const malformed = (value: string | string[]): Scripted[] => [answer(429, { 'retry-after': value })]

/** A date between one and two seconds ahead, with the server's `Date` beside it. */
const dated = (form: (epochMs: number) => string): Scripted[] => [
  {
    status: 429,
    headers: (now) => ({ date: imfFixdate(now), 'retry-after': form(wholeSecondAfter(now, 1000)) }),
    notBefore: (now) => wholeSecondAfter(now, 1000),
  },
  ok,
]

/** What the header's value is taken for. Children run in a time zone nine hours ahead of GMT. */
export const retryAfter: Probe[] = [
  {
    ...reading,
    id: 'decimal',
    rule: 'H1',
    title: '`2.0`, as some services send it: two seconds',
    answers: [answer(429, { 'retry-after': '2.0' }, 2000), ok],
    expect: 'comes-back',
  },
  {
    ...reading,
    id: 'imf-fixdate',
    rule: 'H1',
    title: 'an HTTP date as it is sent today (`Sun, 06 Nov 1994 08:49:37 GMT`)',
    answers: dated(imfFixdate),
    expect: 'comes-back',
  },
  {
    ...reading,
    id: 'rfc850-date',
    rule: 'H1',
    title: 'an HTTP date in the RFC 850 form (`Sunday, 06-Nov-94 08:49:37 GMT`)',
    answers: dated(rfc850),
    expect: 'comes-back',
  },
  {
    ...reading,
    id: 'asctime-date',
    rule: 'H1',
    title: 'an HTTP date in the asctime form (`Sun Nov  6 08:49:37 1994`), which has no zone and means GMT',
    answers: dated(asctime),
    expect: 'comes-back',
  },
  {
    ...reading,
    id: 'server-clock-behind',
    rule: 'H3',
    title: 'a date two seconds ahead of the `Date` of a server whose clock is an hour behind: not before two seconds',
    answers: [
      {
        status: 429,
        headers: (now) => ({ date: imfFixdate(now - HOUR), 'retry-after': imfFixdate(now - HOUR + 2000) }),
        notBefore: (now) => now + 2000 - (now % 1000),
      },
      ok,
    ],
    expect: 'comes-back',
  },
  {
    ...reading,
    id: 'past-date',
    rule: 'H3',
    title: 'a date in the past: no wait, and no hang',
    answers: [answer(429, { 'retry-after': 'Thu, 01 Jan 1998 00:00:00 GMT' }, 0), ok],
    expect: 'returns',
  },
  {
    ...reading,
    id: 'soon',
    rule: 'H1',
    title: '`soon`: as if absent',
    answers: malformed('soon'),
    expect: 'as-if-absent',
    tries: 4,
  },
  {
    ...reading,
    id: 'negative',
    rule: 'H1',
    title: '`-1`: as if absent',
    answers: malformed('-1'),
    expect: 'as-if-absent',
    tries: 4,
  },
  {
    ...reading,
    id: 'empty',
    rule: 'H1',
    title: 'an empty value: as if absent',
    answers: malformed(''),
    expect: 'as-if-absent',
    tries: 4,
  },
  {
    ...reading,
    id: 'duplicate',
    rule: 'H1',
    title: 'two lines, `1` and `5`: a wait, whichever',
    answers: malformed(['1', '5']),
    expect: 'as-if-absent',
    tries: 4,
  },
]
