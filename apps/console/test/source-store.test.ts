import type { DataSourceStatus } from '@sluice/client'
import { VirtualClock } from '@sluice/core/testing'
import { createPageFetch } from '@sluice/fetch/page'
import { expect, test } from 'vitest'
import { GatewayApi } from '../src/api/gateway-api.js'
import { SourceStore } from '../src/sources/source-store.js'

const status = (name: string, since = 'a'): DataSourceStatus => {
  return { name, dataset: 'default', state: 'flowing', state_since: since }
}

/** A store that is told of two data sources, over a gateway that answers as it is told to. */
function world(answer: (path: string) => Response | undefined = () => undefined) {
  const clock = new VirtualClock()
  const asked: string[] = []
  const hidden = { is: false }
  const fetch = createPageFetch({
    clock,
    fetch: async (input) => {
      const path = String(input).replace('/v1/', '')
      asked.push(`${clock.now()} ${path}`)
      const body = path.startsWith('notices') ? { notices: [], next_cursor: null } : { name: path.split('/')[1] }
      return (
        answer(path) ??
        Response.json(body, { headers: { ratelimit: '"p";r=9;t=1', 'ratelimit-policy': '"p";q=9;w=1' } })
      )
    },
  })
  const store = new SourceStore({ api: new GatewayApi(fetch, 'token'), clock, isHidden: () => hidden.is })
  const stop = store.start()
  const sources = [status('clicks'), status('orders')]
  store.told(sources, true)
  return { clock, asked, hidden, store, stop, sources }
}

test('asks one after another, then what has changed, and nothing while nothing has', async () => {
  const { clock, asked, store } = world()
  await clock.advance(20_000)
  expect(asked).toEqual(['0 notices?limit=50', '250 datasources/clicks', '500 datasources/orders'])
  expect([...store.getSnapshot().details.keys()]).toEqual(['clicks', 'orders'])
  store.told([status('clicks', 'b'), status('orders')], true)
  await clock.advance(5000)
  expect(asked.slice(3)).toEqual(['20000 notices?limit=50', '20250 datasources/clicks'])
})

test('looks closely at the one that is opened, and learns whether the token is of an owner', async () => {
  const { clock, asked, store } = world((path) =>
    path.endsWith('backlog') ? new Response(null, { status: 403 }) : undefined,
  )
  await clock.advance(1000)
  store.open('orders')
  expect(store.getSnapshot()).toMatchObject({ opened: 'orders', isOwner: null, notices: null })
  await clock.advance(5000)
  expect(asked.slice(3)).toEqual([
    '1000 datasources/orders/backlog',
    '2000 notices?limit=50&data_source=orders',
    '2500 datasources/orders',
    '4500 datasources/orders',
  ])
  expect(store.getSnapshot()).toMatchObject({ isOwner: false, notices: [] })
  store.acted('orders')
  await clock.advance(0)
  expect(asked.at(-1)).toBe('6000 datasources/orders')
  store.open(null)
  await clock.advance(300)
  expect(asked.slice(-1)).toEqual(['6250 notices?limit=50'])
})

test('asks nothing while nobody sees the page, while there is no connection, and after its end', async () => {
  const { clock, asked, hidden, store, stop, sources } = world()
  hidden.is = true
  await clock.advance(600_000)
  expect(asked).toEqual([])
  hidden.is = false
  store.told(sources, false)
  await clock.advance(600_000)
  expect(asked).toEqual([])
  store.told(sources, true)
  await clock.advance(100)
  expect(asked).toHaveLength(1)
  stop()
  await clock.advance(600_000)
  expect([asked.length, clock.pending()]).toEqual([1, 0])
})

test('is refused once, waits as long as it is asked to, and no banner says so', async () => {
  const refusal = () => new Response(null, { status: 429, headers: { 'retry-after': '20' } })
  let refusals = 1
  const { clock, asked, store } = world(() => (refusals-- > 0 ? refusal() : undefined))
  await clock.advance(25_000)
  expect(asked).toEqual(['0 notices?limit=50', '20000 datasources/clicks', '20250 datasources/orders'])
  expect(store.getSnapshot().notices).toBeNull()
  await clock.advance(10_000)
  expect(store.getSnapshot().notices).toEqual([])
})

test('forgets the one that is opened when it is gone', async () => {
  const { clock, store } = world()
  store.open('orders')
  await clock.advance(1000)
  store.told([status('clicks')], true)
  expect(store.getSnapshot().opened).toBeNull()
})
