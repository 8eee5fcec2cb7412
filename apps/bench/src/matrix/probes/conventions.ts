import { answer, ok, type Probe } from '../probe.js'

const convention = { group: 'Conventions beyond RFC 9110', method: 'GET', convention: true, windowMs: 6_000 } as const

/** Headers of some services, and drafts. Nobody has to know them. */
export const conventions: Probe[] = [
  {
    ...convention,
    id: 'retry-after-ms',
    rule: 'H4',
    title: '`retry-after-ms: 2500` alone: not before two and a half seconds',
    answers: [answer(429, { 'retry-after-ms': '2500' }, 2500), ok],
    expect: 'comes-back',
  },
  {
    ...convention,
    id: 'ratelimit',
    rule: 'H4',
    title: '`RateLimit: "default";r=0;t=3` (IETF draft): not before three seconds',
    answers: [answer(429, { ratelimit: '"default";r=0;t=3' }, 3000), ok],
    expect: 'comes-back',
  },
  {
    ...convention,
    id: 'x-ratelimit-reset',
    rule: 'H4',
    title:
      '`X-RateLimit-Remaining: 0` and `X-RateLimit-Reset`, epoch seconds two to three seconds ahead: not before that',
    answers: [
      {
        status: 429,
        headers: (now) => ({
          'x-ratelimit-limit': '60',
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(Math.ceil(now / 1000) + 2),
        }),
        notBefore: (now) => (Math.ceil(now / 1000) + 2) * 1000,
      },
      ok,
    ],
    expect: 'comes-back',
  },
  {
    ...convention,
    id: 'should-retry-false',
    rule: 'R4',
    title: '503 with `x-should-retry: false` and `stripe-should-retry: false`: not sent again',
    answers: [answer(503, { 'x-should-retry': 'false', 'stripe-should-retry': 'false' }), ok],
    expect: 'once',
  },
]
