import { type Operation, requestOf } from '@sluice/openapi'
import { expect, test } from 'vitest'

const OPERATION: Operation = {
  ...{ id: 'items', method: 'GET', path: '/items', summary: '', description: '', tags: [], deprecated: false },
  ...{ parameters: [], body: null, responses: {}, servers: [], retry: {}, defs: {}, security: [] },
}

test.each([
  ['api.example.com/v1', 'baseUrl: api.example.com/v1 is no absolute URL; write https://api.example.com/v1, say'],
  ['http//ann:5ecret@a.test', 'baseUrl: a.test is no absolute URL; write https://api.example.com/v1, say'],
  ['/v1?key=5ecret', 'baseUrl: /v1 is no absolute URL; write https://api.example.com/v1, say'],
  ['https://ann:5ecret@a.test', 'baseUrl: must hold no user name and no password; send them in a header'],
])('a base URL that is none, without what may be a secret in it: %s', (baseUrl, message) => {
  expect(() => requestOf(OPERATION, {}, { baseUrl })).toThrow(message)
})
