import { createFetch, retryPolicy } from '@sluice/fetch'
import fetchRetry from 'fetch-retry'
import ky from 'ky'
import { createFetch as createOfetch } from 'ofetch'
import type { CallSuite } from '../suite.js'

const URL_ = 'http://service.test/items'
const answer = new Response(null)
/** Answers at once and does nothing: what is left is what each adapter does around it. */
const transport = (async () => answer) as typeof fetch // takes what fetch takes
const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"item":"tea"}' }

const sluice = createFetch({ fetch: transport, policy: retryPolicy() })
const retrying = fetchRetry(transport)
const over = createOfetch({ fetch: transport, defaults: { retry: 3 } })
const kyOver = ky.create({ fetch: transport, retry: 3, timeout: false, throwHttpErrors: false })

export const fetchSuite: CallSuite = {
  kind: 'calls',
  name: 'fetch (url, init)',
  what: 'a POST of a small JSON body that is answered at once',
  candidates: [
    { name: 'raw', call: () => transport(URL_, init) },
    { name: 'sluice', call: () => sluice(URL_, init) },
    { name: 'fetch-retry', call: () => retrying(URL_, init) },
    { name: 'ofetch', call: () => over.raw(URL_, { ...init, responseType: 'stream' }) },
    { name: 'ky', call: () => kyOver(URL_, init) },
  ],
}

export const requestSuite: CallSuite = {
  kind: 'calls',
  name: 'fetch (Request)',
  what: 'the same as a Request, made anew for each call',
  candidates: [
    { name: 'raw', call: () => transport(new Request(URL_, init)) },
    { name: 'sluice', call: () => sluice(new Request(URL_, init)) },
    { name: 'fetch-retry', call: () => retrying(new Request(URL_, init)) },
    { name: 'ofetch', call: () => over.raw(new Request(URL_, init), { responseType: 'stream' }) },
    { name: 'ky', call: () => kyOver(new Request(URL_, init)) },
  ],
}

export const getRequestSuite: CallSuite = {
  kind: 'calls',
  name: 'fetch (Request, GET)',
  what: 'a Request without a body, made anew for each call',
  candidates: [
    { name: 'raw', call: () => transport(new Request(URL_)) },
    { name: 'sluice', call: () => sluice(new Request(URL_)) },
    { name: 'fetch-retry', call: () => retrying(new Request(URL_)) },
    { name: 'ofetch', call: () => over.raw(new Request(URL_), { responseType: 'stream' }) },
    { name: 'ky', call: () => kyOver(new Request(URL_)) },
  ],
}
