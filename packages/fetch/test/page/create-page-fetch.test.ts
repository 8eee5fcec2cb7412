import * as plain from '@sluice/fetch'
import * as page from '@sluice/fetch/page'
import { describe, expect, test } from 'vitest'
import { type Answer, ended, fine, scriptedPage, URL_ } from './scripted-page.js'

const crossOrigin =
  (headers: Record<string, string> = {}): Answer =>
  () =>
    Object.defineProperty(new Response('no', { status: 429, headers }), 'type', { value: 'cors' })

describe('createPageFetch()', () => {
  test('the entry holds all of @sluice/fetch', () => {
    expect({ ...page }).toMatchObject({ ...plain })
  })

  test('refuses bad options by name and value', () => {
    const make = (options: object) => () => page.createPageFetch(options)
    expect(make({ maxAttempts: 3 })).toThrow(
      /^createPageFetch: there is no option maxAttempts; options are policy, .*, onLoginExpired, loginCheckUrl, page, and/,
    )
    expect(make({ onLoginExpired: true })).toThrow('createPageFetch: onLoginExpired must be a function; got true')
    expect(make({ loginCheckUrl: 1 })).toThrow('createPageFetch: loginCheckUrl must be a string or a URL; got 1')
    expect(make({ page: null })).toThrow('createPageFetch: page must be the window, or an object like it; got null')
    expect(make({ policy: {} })).toThrow('createPageFetch: policy must be a preset or made by retryPolicy()')
    expect(() => page.createPageFetch().with({ supersede: '' })).toThrow(
      'with: supersede must be a string that is not empty; got ""',
    )
    expect(() => page.createPageFetch().with({ maxAttempts: 0 })).toThrow(
      'maxAttempts must be an integer of at least 1',
    )
  })

  test('works where there is no page: in a worker, or in Node', async () => {
    const fetch = page.createPageFetch({ fetch: async () => new Response('fine'), onLoginExpired: () => {} })
    expect(await (await fetch('https://app.test/')).text()).toBe('fine')
  })

  test('takes a window, and arguments as the platform takes them', async () => {
    const sent: Headers[] = []
    const network: typeof globalThis.fetch = async (_, init) => {
      sent.push(new Headers(init?.headers))
      return new Response('fine')
    }
    const fetch = page.createPageFetch({ page: globalThis, fetch: network })
    const once = new Map([['accept', 'text/html']]).entries() // can be read once
    for (const init of [{ headers: once as unknown as HeadersInit }, null as unknown as RequestInit])
      expect((await fetch('https://app.test/', init)).status).toBe(200)
    expect(sent[0]?.get('accept')).toBe('text/html')
  })

  test('a request that cannot be built rejects, and does not throw', async () => {
    const { fetch } = scriptedPage([fine])
    expect(await ended(fetch(URL_, { headers: { 'not a name': 'x' } }))).toBeInstanceOf(TypeError)
  })

  test('.with() shares the store, the count and the page', () => {
    const fetch = page.createPageFetch()
    const other = fetch.with({ supersede: 'a', maxAttempts: 1 })
    expect([other.waiting, other.passed]).toEqual([fetch.waiting, fetch.passed])
  })
})

describe('a wait that CORS hides', () => {
  const lines: string[] = []
  const logger = { warn: (line: string) => void lines.push(line) }

  test('is as good as absent (R7), and the log says so once', async () => {
    const { fetch, clock, sent } = scriptedPage([crossOrigin()], { logger })
    await clock.run(Promise.all([fetch(URL_), fetch(URL_)]))
    expect(sent.filter((_, i) => i % 2).map(({ atMs }) => atMs)).toEqual([0, 125, 375, 875])
    expect(lines).toEqual([expect.stringContaining('Access-Control-Expose-Headers: Retry-After')])
    expect(lines[0]).not.toContain('app.test')
  })

  test('nothing is said where a wait can be read, or the answer is of the page’s own origin', async () => {
    lines.length = 0
    const own: Answer = () => new Response('no', { status: 429 })
    for (const answer of [crossOrigin({ 'retry-after': '1' }), own]) {
      const { fetch, clock } = scriptedPage([answer], { logger })
      await clock.run(fetch(URL_))
    }
    expect(lines).toEqual([])
  })
})
