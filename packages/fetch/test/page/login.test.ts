import { type LoginExpired, QueueFullError } from '@sluice/fetch/page'
import { describe, expect, test } from 'vitest'
import { FakeField, FakePage } from './fake-page.js'
import { type Answer, ended, fails, fine, hangs, type Sent, scriptedPage, URL_ } from './scripted-page.js'

const CHECK = 'https://app.test/search?q=secret'
/** What a script gets to see of a redirect that it did not follow. */
const led: Answer = () => Object.defineProperty(new Response(), 'type', { value: 'opaqueredirect' })

/** An element that is no field, and can be written in. */
const editable = (text: string): FakeField => Object.assign(new FakeField(), { value: undefined, textContent: text })

/** A server whose API fails and whose own pages answer the check so. */
const behindProxy = (check: Answer, api: Answer = fails) => {
  const expired: LoginExpired[] = []
  const answer: Answer = (sent) => (sent.url.includes('/api/') ? api(sent) : check(sent))
  const scripted = scriptedPage([answer], { onLoginExpired: (event) => void expired.push(event) })
  const checks = (): typeof scripted.sent => scripted.sent.filter(({ url }) => !url.includes('/api/'))
  /** Makes a call, and gives what follows its end time to come. */
  const call = async (url = URL_): Promise<unknown> => {
    const end = await scripted.clock.run(ended(scripted.fetch(url)))
    await scripted.clock.advance(0)
    return end
  }
  return { ...scripted, expired, checks, call }
}

describe('U5: an expired login', () => {
  test('a network failure that outlasts the retries is followed by one request to the page’s own origin', async () => {
    const { call, sent, checks, expired } = behindProxy(led)
    expect(await call()).toBeInstanceOf(TypeError)
    expect(sent.length).toBe(5)
    expect(checks()).toMatchObject([{ url: CHECK, init: { redirect: 'manual', cache: 'no-store' } }])
    expect(expired).toMatchObject([{ url: 'https://app.test/api/items' }])
  })

  test.each<[string, Answer]>([
    ['is down', fails],
    ['answers', fine],
    ['answers with an error', () => new Response('no', { status: 502 })],
    ['does not answer within 10 s', hangs],
  ])('nothing has expired where the server %s', async (_, check) => {
    const { call, clock, checks, expired } = behindProxy(check)
    await call()
    await clock.advance(10_000)
    expect([checks().length, expired, clock.pending()]).toEqual([1, [], 0])
  })

  test('nobody asks after an answer, an abort, or offline; nor where it was not asked for', async () => {
    const refused = behindProxy(led, () => new Response('no', { status: 403 }))
    await refused.call()
    const offline = behindProxy(led)
    offline.page.goOffline()
    await offline.call()
    const aborted = behindProxy(led)
    const controller = new AbortController()
    const call = ended(aborted.fetch(URL_, { signal: controller.signal }))
    await aborted.clock.advance(10)
    controller.abort()
    await call
    const left = behindProxy(led)
    const leaving = ended(left.fetch(URL_))
    await left.clock.advance(10)
    left.page.leave()
    await leaving
    const plain = scriptedPage([fails])
    await plain.clock.run(ended(plain.fetch(URL_)))
    await plain.clock.advance(0)
    expect([refused, offline, aborted, left].flatMap(({ checks }) => checks())).toEqual([])
    expect(plain.sent.length).toBe(4)
  })

  test('calls that fail together are served by one check', async () => {
    const { fetch, clock, checks, expired } = behindProxy(led)
    await clock.run(Promise.all([1, 2, 3].map(() => ended(fetch(URL_)))))
    await clock.advance(0)
    expect([checks().length, expired.length]).toEqual([1, 1])
    await clock.run(ended(fetch(URL_)))
    await clock.advance(0)
    expect([checks().length, expired.length]).toEqual([1, 1]) // told already, and nothing has worked since
  })

  test('is told once more after a call to the origin that failed has succeeded, and what another one answers is nothing', async () => {
    let up = false
    const api: Answer = (sent) => (up || sent.url.startsWith('https://other.test') ? fine(sent) : fails(sent))
    const { call, expired } = behindProxy(led, api)
    await call()
    await call('https://other.test/api/beacon')
    await call()
    expect(expired.length).toBe(1)
    up = true
    await call()
    up = false
    await call()
    expect(expired.length).toBe(2)
  })

  test('is not told where a call succeeded while it was found out: somebody logged in elsewhere', async () => {
    let answer = (_: Response): void => {}
    const check: Answer = () => new Promise((resolve) => (answer = resolve))
    let up = false
    const { call, sent, clock, expired } = behindProxy(check, (sent) => (up ? fine(sent) : fails(sent)))
    await call()
    up = true
    await call()
    const response = await led(sent[0] as Sent)
    answer(response)
    await clock.advance(10_000)
    expect(expired).toEqual([])
    up = false
    await call()
    answer(response)
    await clock.advance(0)
    expect(expired.length).toBe(1)
  })

  test('another address of the page’s own origin can be asked, and no other', async () => {
    const { fetch, clock, sent } = scriptedPage([fails], { onLoginExpired: () => {}, loginCheckUrl: '/whoami' })
    await clock.run(ended(fetch(URL_)))
    await clock.advance(0)
    expect(sent.at(-1)?.url).toBe('https://app.test/whoami')
    expect(() => scriptedPage([], { loginCheckUrl: 'https://login.test/' })).toThrow(
      "createPageFetch: loginCheckUrl must be of the page's own origin, https://app.test; got https://login.test",
    )
    const page = new FakePage()
    page.location.href = 'blob:https://app.test/52b3' // as of a worker that was made from a blob
    expect(() => scriptedPage([], { page, loginCheckUrl: '/whoami' })).toThrow(
      'createPageFetch: loginCheckUrl must be of the page\'s own origin, https://app.test; got "/whoami"',
    )
    expect(scriptedPage([], { page, loginCheckUrl: 'https://app.test/whoami' }).fetch).toBeTypeOf('function')
  })

  test('a frame without an address asks for the page that it came from, and one without an origin for nothing', async () => {
    const inFrame = (origin: string, loginCheckUrl?: string) => {
      const page = Object.assign(new FakePage(), { origin })
      page.location.href = 'about:srcdoc'
      page.document.baseURI = CHECK
      const expired: LoginExpired[] = []
      const onLoginExpired = (event: LoginExpired): void => void expired.push(event)
      const answer: Answer = (sent) => (sent.url === URL_ ? fails(sent) : led(sent))
      return { expired, ...scriptedPage([answer], { page, onLoginExpired, loginCheckUrl }) }
    }
    for (const [checkUrl, asked] of [
      [undefined, CHECK],
      ['/whoami', 'https://app.test/whoami'],
    ]) {
      const { page, fetch, clock, sent, expired } = inFrame('https://app.test', checkUrl)
      await clock.run(ended(fetch(URL_)))
      await clock.advance(0)
      expect([sent.length, sent.at(-1)?.url]).toEqual([5, asked])
      // To reload it would show what it shows now.
      expect([expired.length, expired[0]?.reloadOnce(), page.reloads, page.stored.size]).toEqual([1, false, 0, 0])
    }
    const sandboxed = inFrame('null')
    await sandboxed.clock.run(ended(sandboxed.fetch(URL_)))
    await sandboxed.clock.advance(0)
    expect([sandboxed.sent.length, sandboxed.expired]).toEqual([4, []])
  })
})

describe('U5: reloadOnce()', () => {
  /** The page that a reload of another leads to: the tab's storage is the same. */
  const reloaded = ({ page }: ReturnType<typeof behindProxy>, api?: Answer): ReturnType<typeof behindProxy> => {
    const next = behindProxy(led, api)
    for (const [name, value] of page.stored) next.page.stored.set(name, value)
    return next
  }

  test('reloads once, and never twice, across the reload', async () => {
    const first = behindProxy(led)
    await first.call()
    expect([first.expired[0]?.reloadOnce(), first.page.reloads]).toEqual([true, 1])
    const second = reloaded(first)
    await second.call()
    const again = [second.expired[0]?.reloadOnce(), second.expired[0]?.reloadOnce({ evenWithInput: true })]
    expect([again, second.page.reloads]).toEqual([[false, false], 0])
  })

  test('does it once more where the page is there still: somebody wanted to stay', async () => {
    const { call, page, clock, expired } = behindProxy(led)
    const another = scriptedPage([(sent) => (sent.url === CHECK ? led(sent) : fails(sent))], {
      ...{ page, clock, onLoginExpired: (event) => void expired.push(event) },
    })
    await call()
    expect([expired[0]?.reloadOnce(), expired[0]?.reloadOnce(), page.reloads]).toEqual([true, true, 2])
    await clock.run(ended(another.fetch(URL_)))
    await clock.advance(0)
    expect([expired.length, expired[1]?.reloadOnce(), page.stored.size]).toEqual([2, true, 1])
  })

  test('may do so again once the very URL that failed has answered; another answer is none', async () => {
    let up = false
    const api: Answer = (sent) => (up || sent.url.includes('/other') ? fine(sent) : fails(sent))
    const first = behindProxy(led, api)
    await first.call()
    expect(first.expired[0]?.reloadOnce()).toBe(true)
    const { call, page, expired } = reloaded(first, api)
    await call()
    await call('https://app.test/api/other')
    expect(expired[0]?.reloadOnce()).toBe(false)
    up = true
    await call()
    expect(page.stored.size).toBe(0)
    expect([expired[0]?.reloadOnce(), page.reloads]).toEqual([true, 1])
  })

  test('a call that was refused a slot, or got no answer in time, did not answer', async () => {
    const api: Answer = (sent) => (sent.init.method === 'POST' ? hangs(sent) : fails(sent))
    const first = behindProxy(led, api)
    await first.call()
    expect(first.expired[0]?.reloadOnce()).toBe(true)
    const { call, fetch, page, clock, expired } = reloaded(first, api)
    await call()
    const late = ended(fetch.with({ deadlineMs: 1000 })(URL_, { method: 'POST' }))
    expect(await clock.run(late)).toMatchObject({ name: 'DeadlineError', attempts: 1 })
    const limit = {
      tryAcquire: () => null,
      acquire: () => Promise.reject(new QueueFullError(500)),
    }
    const refused = scriptedPage([fine], { page, limit, onLoginExpired: () => {} })
    expect(await refused.clock.run(ended(refused.fetch(URL_)))).toMatchObject({ name: 'QueueFullError' })
    expect([expired[0]?.reloadOnce(), page.reloads]).toEqual([false, 0])
  })

  test.each<[string, (page: ReturnType<typeof behindProxy>['page']) => void]>([
    ['somebody has typed into a field', (page) => page.type('half a sentence')],
    ['the field is where nobody finds it', (page) => page.type('half a sentence', false)],
    [
      'a field had been changed before',
      (page) => page.fields.push(Object.assign(page.type(''), { defaultValue: 'x' })),
    ],
    ['an editable element has a text', (page) => void page.touch(editable('half a sentence'))],
    ['or a picture', (page) => void page.touch(Object.assign(editable(''), { img: {} }))],
    ['a box had been ticked before', (page) => page.fields.push(Object.assign(page.type(''), { checked: true }))],
  ])('loses nothing: %s', async (_, act) => {
    const { call, page, expired } = behindProxy(led)
    act(page)
    await call()
    expect([expired[0]?.reloadOnce(), page.reloads]).toEqual([false, 0])
    expect([expired[0]?.reloadOnce({ evenWithInput: true }), page.reloads]).toEqual([true, 1])
  })

  test('a field that is empty again, or gone, holds nothing up', async () => {
    const { call, page, expired } = behindProxy(led)
    page.type('a').value = ''
    page.fields.length = 0
    page.type('b', false).isConnected = false
    page.touch(editable(' \n'), false)
    for (const type of ['checkbox', 'radio', 'range', 'color'])
      page.type('on', false, Object.assign(new FakeField(), { type })) // nothing is typed there
    // As browsers have them, and nobody has touched them.
    const untouched = { checkbox: 'on', radio: 'on', range: '50', color: '#000000' }
    for (const [type, value] of Object.entries(untouched))
      page.fields.push(Object.assign(new FakeField(), { type, value }))
    await call()
    expect(expired[0]?.reloadOnce()).toBe(true)
  })

  test('does nothing without a storage, which could not tell the next page', async () => {
    const { call, page, expired } = behindProxy(led)
    Object.defineProperty(page, 'sessionStorage', {
      get: () => {
        throw new DOMException('forbidden', 'SecurityError')
      },
    })
    await call()
    expect([expired[0]?.reloadOnce(), page.reloads]).toEqual([false, 0])
  })
})
