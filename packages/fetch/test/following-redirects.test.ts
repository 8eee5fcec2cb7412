import { createFetch, followingRedirects, outcomeOf } from '@sluice/fetch'
import { describe, expect, test, vi } from 'vitest'
import { serve, type TestServer } from './server.js'

const SECRETS = { authorization: 'Bearer 5ecret', cookie: 'session=5ecret', 'x-api-key': '5ecret', 'x-other': '5ecret' }
const HARMLESS = { accept: 'text/plain', 'accept-language': 'de', 'content-type': 'text/x', 'user-agent': 'test/1' }

const follow = followingRedirects(fetch)

/** A server that sends each request on to the location that the path of the request before it leads to. */
const leading = (status: number, ...locations: string[]): Promise<TestServer> =>
  serve((nth, response) => {
    const location = locations[nth - 1]
    if (location === undefined) response.end('here')
    else response.writeHead(status, { location }).end('moved')
  })

const there = (): Promise<TestServer> => serve((_, response) => void response.end('there'))

const seen = ({ received }: TestServer) =>
  received.map(({ method, path, headers, body }) => [method, path, headers['x-api-key'], body])

/** What a fetch failed with, as Node's: the reason is the cause. */
const reasonOf = (call: Promise<Response>): Promise<string> =>
  call.then(
    (response) => `answered ${response.status}`,
    (error: TypeError & { cause: Error }) => `${error.name}: ${error.message}: ${error.cause.message}`,
  )

describe('to another origin', () => {
  test.each([301, 302, 303, 307, 308])('a %i takes along only what says nothing of who asks', async (status) => {
    const other = await there()
    const { url, received } = await leading(status, `${other.url}/x?y=1`)
    const response = await follow(url, { headers: { ...SECRETS, ...HARMLESS, 'idempotency-key': 'k1' } })
    expect([await response.text(), response.url, response.redirected]).toEqual(['there', `${other.url}/x?y=1`, true])
    expect(received[0]?.headers).toMatchObject({ ...SECRETS, ...HARMLESS })
    expect(other.received[0]).toMatchObject({ method: 'GET', path: '/x?y=1' })
    // R2: the key, without which a repeated call would act twice there
    expect(other.received[0]?.headers).toMatchObject({ ...HARMLESS, 'idempotency-key': 'k1' })
    expect(JSON.stringify(other.received)).not.toContain('5ecret')
  })

  test('and back again: what was left behind stays so', async () => {
    const home = await leading(302, '/moved', 'AWAY', 'AWAY')
    const other = await leading(302, `${home.url}/home`)
    const through: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      const location = response.headers.get('location')
      if (location !== 'AWAY') return response
      return new Response(null, { status: 302, headers: { location: home.received.length === 2 ? other.url : '/end' } })
    }
    // A base for the relative location, since a made response has no URL.
    expect(await (await followingRedirects(through)(`${home.url}/a`, { headers: SECRETS })).text()).toBe('here')
    expect(seen(home)).toEqual([
      ['GET', '/a', '5ecret', ''],
      ['GET', '/moved', '5ecret', ''],
      ['GET', '/home', undefined, ''],
      ['GET', '/end', undefined, ''],
    ])
    expect(JSON.stringify(other.received)).not.toContain('5ecret')
  })

  test('another port, another scheme and another name are other origins', async () => {
    for (const target of ['https://a.test/', 'http://a.test:81/', 'http://b.test/', 'http://a.test./']) {
      const calls: Headers[] = []
      const transport = vi.fn<typeof fetch>(async (_, init) => {
        calls.push(new Headers(init?.headers))
        return calls.length === 1
          ? new Response(null, { status: 302, headers: { location: target } })
          : new Response('there')
      })
      await followingRedirects(transport)('http://a.test/', { headers: SECRETS })
      expect(calls.map((headers) => headers.get('x-api-key'))).toEqual(['5ecret', null])
    }
  })
})

describe('method and body', () => {
  const sent = async (status: number, init: RequestInit) => {
    const server = await leading(status, '/next')
    await follow(`${server.url}/first`, { ...init, headers: { ...SECRETS, 'content-type': 'text/x', ...init.headers } })
    const [, second] = server.received
    return [second?.method, second?.body, second?.headers['content-type'], second?.headers['x-api-key']]
  }

  test.each([301, 302, 303])('after a POST a %i asks for the answer with a GET', async (status) => {
    expect(await sent(status, { method: 'POST', body: 'text' })).toEqual(['GET', '', undefined, '5ecret'])
  })

  test.each([
    [307, 'POST'],
    [308, 'POST'],
    [301, 'PUT'],
    [302, 'PATCH'],
    [307, 'DELETE'],
  ])('a %i repeats a %s with its body', async (status, method) => {
    expect(await sent(status, { method, body: 'text' })).toEqual([method, 'text', 'text/x', '5ecret'])
  })

  test('after a PUT a 303 is a GET, after a HEAD it is a HEAD', async () => {
    expect((await sent(303, { method: 'PUT', body: 'text' }))[0]).toBe('GET')
    expect((await sent(303, { method: 'HEAD' }))[0]).toBe('HEAD')
  })

  const stream = () => ({
    ...{ method: 'POST', headers: SECRETS, duplex: 'half' as const },
    body: new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('text'))
        controller.close()
      },
    }),
  })

  test('a stream is sent once: what would send it twice fails, what asks with a GET goes on', async () => {
    const { url, received } = await leading(307, '/next')
    const why = 'TypeError: fetch failed: a redirect of a body that can be sent only once'
    expect(await reasonOf(follow(url, stream()))).toBe(why)
    expect(received).toHaveLength(1)
    const moved = await leading(303, '/next')
    expect(await (await follow(moved.url, stream())).text()).toBe('here')
    expect(seen(moved)).toEqual([
      ['POST', '/', '5ecret', 'text'],
      ['GET', '/next', '5ecret', ''],
    ])
  })

  test("a Request, with its method, headers and body, and init's over them", async () => {
    const other = await there()
    const server = await leading(308, '/next', `${other.url}/x`)
    const request = new Request(`${server.url}/first`, { method: 'POST', body: 'text', headers: SECRETS })
    expect(await (await follow(request, { headers: { 'x-api-key': 'k5ecret' } })).text()).toBe('there')
    expect(seen(server)).toEqual([
      ['POST', '/first', 'k5ecret', 'text'],
      ['POST', '/next', 'k5ecret', 'text'],
    ])
    expect(seen(other)).toEqual([['POST', '/x', undefined, 'text']])
    expect(JSON.stringify(other.received)).not.toContain('5ecret')
  })
})

test("a Request's body that comes in later than the redirect is waited for (R13), until its caller gives up", async () => {
  const bodies = [new TransformStream<Uint8Array, Uint8Array>(), new TransformStream<Uint8Array, Uint8Array>()]
  const sent: unknown[] = []
  const transport: typeof fetch = async (_, init) => {
    if (sent.push(init?.body && new TextDecoder().decode(init.body as Uint8Array)) > 1) return new Response('there')
    return new Response(null, { status: 307, headers: { location: 'http://a.test/next' } })
  }
  const send = (signal?: AbortSignal): Promise<Response> => {
    const body = bodies[signal ? 1 : 0]?.readable
    const init = { method: 'POST', body, duplex: 'half', headers: SECRETS, signal } as RequestInit // Node's, beyond lib.dom
    return followingRedirects(transport)(new Request('http://a.test/', init))
  }
  const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const call = send()
  await tick()
  const writer = bodies[0]?.writable.getWriter()
  void writer?.write(new TextEncoder().encode('late'))
  void writer?.close()
  expect(await (await call).text()).toBe('there')
  expect(sent).toEqual([undefined, 'late'])
  sent.length = 0
  const controller = new AbortController()
  const given = send(controller.signal)
  await tick()
  controller.abort('enough')
  await expect(given).rejects.toBe('enough')
  expect(sent).toEqual([undefined])
})

describe('a redirect that cannot be followed', () => {
  test.each([
    ['http://', 'a redirect to what is no URL'],
    ['ftp://else.where/', 'a redirect to ftp:, which is no web address'],
    ['data:text/plain,x', 'a redirect to data:, which is no web address'],
    ['http://ann:pw@127.0.0.1:9/', 'a redirect to a URL that holds a user name or password'],
  ])('%s is a failure as of fetch itself', async (location, why) => {
    const { url } = await leading(302, location)
    expect(await reasonOf(follow(url, { headers: SECRETS }))).toBe(`TypeError: fetch failed: ${why}`)
  })

  test('without a location it is an answer', async () => {
    const { url } = await serve((_, response) => void response.writeHead(302).end('look elsewhere'))
    const response = await follow(url, { headers: SECRETS })
    expect([response.status, await response.text(), response.redirected]).toEqual([302, 'look elsewhere', false])
  })

  test('a circle ends after 20, and createFetch does not try again', async () => {
    const { url, received } = await serve((_, response) => void response.writeHead(302, { location: '/again' }).end())
    const error = await createFetch({ fetch: follow })(url, { headers: SECRETS }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ message: 'fetch failed', cause: { message: 'more than 20 redirects' } })
    expect(outcomeOf(error)).toMatchObject({ attempts: 1 })
    expect(received).toHaveLength(21)
  })

  test('an abort on the way is the caller’s', async () => {
    const controller = new AbortController()
    const { url } = await serve((nth, response) => {
      if (nth === 1) response.writeHead(302, { location: '/next' }).end()
      else controller.abort(new Error('enough'))
    })
    await expect(follow(url, { headers: SECRETS, signal: controller.signal })).rejects.toThrow('enough')
    const request = new Request('http://a.test/', { headers: SECRETS, signal: controller.signal })
    await expect(follow(request)).rejects.toThrow('enough')
  })
})

describe("the platform's affair", () => {
  const given = async (headers: HeadersInit, redirect?: RequestRedirect): Promise<RequestRedirect | undefined> => {
    const transport = vi.fn<typeof fetch>(async () => new Response('x'))
    await followingRedirects(transport)('https://a.test/', { headers, ...(redirect && { redirect }) })
    return transport.mock.calls[0]?.[1]?.redirect
  }

  test('a request without a private header, and one that says how redirects are to be taken', async () => {
    expect(await given(HARMLESS)).toBeUndefined()
    expect(await given(SECRETS, 'error')).toBe('error')
    expect(await given(SECRETS, 'manual')).toBe('manual')
    expect(await given(SECRETS, 'follow')).toBe('manual')
  })

  test('a redirect that a browser does not show fails where a private header is sent: nothing is sent twice', async () => {
    // As a browser answers `redirect: 'manual'`.
    const browser = vi.fn<typeof fetch>(async (_, init) => {
      if (init?.redirect !== 'manual') return new Response('there')
      return Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' })
    })
    const inBrowser = followingRedirects(browser)
    expect(await (await inBrowser('https://a.test/', { headers: HARMLESS })).text()).toBe('there')
    expect(await reasonOf(inBrowser('https://a.test/', { method: 'POST', headers: SECRETS }))).toBe(
      'TypeError: fetch failed: a redirect, and this platform does not tell where it leads; call its own fetch',
    )
    expect(browser).toHaveBeenCalledTimes(2)
  })
})
