import { answer, LONG, type Probe } from '../probe.js'

const ending = { group: 'How it ends', method: 'GET' } as const

/** What the caller gets. */
export const endings: Probe[] = [
  {
    ...ending,
    id: 'abort',
    rule: 'R11',
    title: 'aborted during a wait: rejects at once, and nothing more arrives',
    answers: [answer(503, { 'retry-after': '2' }, 2000)],
    expect: 'abort',
    abortAtMs: 800,
  },
  {
    ...ending,
    id: 'body',
    rule: 'R12',
    title: '503 with `Retry-After: 0` for ever: the body of the last one can be read',
    answers: [answer(503, { 'retry-after': '0' }, 0)],
    windowMs: LONG,
    expect: 'body',
  },
  {
    ...ending,
    id: 'told',
    rule: 'H5',
    title: '404 with `Retry-After: 7`: surfaced at once, and the caller can read the wait',
    answers: [answer(404, { 'retry-after': '7' })],
    expect: 'header',
  },
]
