import { describe, expect, it } from 'vitest'
import { undescribed } from './undescribed.js'

const asked = { method: 'GET', path: '/v1/pipes/busiest_routes?limit=1' }
const problem = { type: 'urn:sluice:problem:quota-exceeded', title: 'Quota exceeded', status: 429, detail: 'Wait.' }
const refusal = (headers: Record<string, string>, body: unknown = problem, status = 429) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/problem+json', ...headers } })

describe('the comparison of an answer with the document', () => {
  it('has nothing to say of one that is as described', async () => {
    const headers = { 'retry-after': '1', ratelimit: '"default";r=0;t=1', 'ratelimit-policy': '"default";q=3;w=2' }
    expect(await undescribed(asked, refusal(headers))).toEqual([])
  })

  it.each([
    ['a status', refusal({}, problem, 418), 'GET /v1/pipes/busiest_routes?limit=1: status 418 is not described'],
    ['a content type', refusal({ 'content-type': 'application/json' }), 'content type "application/json" is not desc'],
    ['a header that does not fit', refusal({ 'retry-after': '0.5' }), 'retry-after: 0.5: (all of it) must be integer'],
    [
      'another form of a quota',
      refusal({ ratelimit: 'limit=3' }),
      'ratelimit: limit=3: (all of it) must match pattern',
    ],
    ['a header that is not described', refusal({ allow: 'GET' }), 'allow is sent and not described'],
    ['a header that is not there', refusal({}, { ...problem, status: 401 }, 401), 'www-authenticate is described as'],
    ['a body that does not fit', refusal({}, { ...problem, detail: 1 }), 'body: /detail must be string'],
    ['a body with another status', refusal({}, { ...problem, status: 500 }), 'body says status 500'],
    ['a 400 that names nothing', refusal({}, { ...problem, status: 400 }, 400), "must have required property 'errors'"],
  ])('sees %s', async (_, response, fault) => {
    expect((await undescribed(asked, response)).join('\n')).toContain(fault)
  })

  it.each([
    ['no event', 'data: {}\n\n', 'must be object'],
    ['another status', 'event: status\ndata: {"state":"ok"}\n\n', "must have required property 'nodes'"],
  ])('sees %s in a stream', async (_, text, fault) => {
    const stream = new Response(text, { headers: { 'content-type': 'text/event-stream' } })
    expect((await undescribed({ method: 'GET', path: '/v1/status/stream' }, stream)).join('\n')).toContain(fault)
  })

  it('sees a path that has no operation', async () => {
    expect(await undescribed({ method: 'GET', path: '/v1/whatever' }, refusal({}))).toEqual([
      'GET /v1/whatever: status 429 is not described',
    ])
  })
})
