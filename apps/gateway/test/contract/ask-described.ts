import { expect } from 'vitest'
import type { RunningGateway } from '../running-gateway.js'
import { undescribed } from './undescribed.js'

/** What a gateway answered. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any form, which tests look into
  readonly json: any
}

/** Asks a gateway, and holds the answer to the document. */
export async function askDescribed(
  gateway: Pick<RunningGateway, 'get'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const response = await gateway.get(path, {
    method,
    ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
  })
  expect(await undescribed({ method, path }, response.clone()), `${method} ${path} ${response.status}`).toEqual([])
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) }
}
