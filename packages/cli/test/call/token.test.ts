import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { serve } from '../server.js'
import { call } from './call.js'

const TOKEN = 'tok-5f2c/9+a'

async function sent(args: readonly string[], env: Record<string, string> = { SLUICE_TOKEN: TOKEN }) {
  const { code, stdout, stderr, sends } = await call(args, undefined, { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).not.toContain(TOKEN)
  const [{ url, headers } = { url: '', headers: {} as Record<string, string> }] = sends
  return { url, headers }
}

describe('a token goes where the operation wants it', () => {
  test('http bearer', async () => expect((await sent(['byBearer'])).headers.authorization).toBe(`Bearer ${TOKEN}`))

  test('http basic', async () =>
    expect((await sent(['byBasic'], { SLUICE_TOKEN: 'ann:pass word' })).headers.authorization).toBe(
      `Basic ${Buffer.from('ann:pass word').toString('base64')}`,
    ))

  test('a header of its own', async () => {
    const { headers } = await sent(['byKey'])
    expect(headers).toMatchObject({ 'x-api-key': TOKEN })
    expect(headers).not.toHaveProperty('authorization')
  })

  test('the query', async () => {
    expect((await sent(['byQuery'])).url).toBe(`https://service.test/by/query?api_key=${encodeURIComponent(TOKEN)}`)
    expect((await sent(['byQuery', '--page', '2'])).url).toMatch(/\?page=2&api_key=tok/)
  })

  test('a cookie, beside others', async () =>
    expect((await sent(['byCookie', '--theme', 'dark'])).headers.cookie).toBe(
      `theme=dark; session=${encodeURIComponent(TOKEN)}`,
    ))

  test('the first alternative that one token satisfies', async () => {
    expect((await sent(['bySecond'])).headers).toMatchObject({ authorization: `Bearer ${TOKEN}` })
    expect((await sent(['bySecond', '-H', 'X-App-Id: mine'])).headers).toMatchObject({
      ...{ 'x-app-id': 'mine', 'x-api-key': TOKEN },
    })
  })

  test('as a bearer token where the document says nothing, and nowhere where it says that none is needed', async () => {
    expect((await sent(['items'])).headers.authorization).toBe(`Bearer ${TOKEN}`)
    expect((await sent(['byNone'])).headers).not.toHaveProperty('authorization')
    expect((await sent(['byMaybe'])).headers.authorization).toBe(`Bearer ${TOKEN}`)
  })

  test('-H has the last word', async () => {
    for (const operation of ['items', 'byBearer'])
      expect((await sent([operation, '-H', 'Authorization: mine'])).headers.authorization).toBe('mine')
    expect((await sent(['byKey', '-H', 'X-Api-Key: mine'])).headers).toMatchObject({ 'x-api-key': 'mine' })
  })

  test('a flag before a file, a file before the environment', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'sluice-call-')), 'token')
    writeFileSync(path, 'from-file\n')
    expect((await sent(['byBearer', '--token', 'from-flag'])).headers.authorization).toBe('Bearer from-flag')
    expect((await sent(['byBearer', '--token-file', path])).headers.authorization).toBe('Bearer from-file')
  })

  test('a token that no header carries is refused without showing it', async () => {
    const { code, stderr } = await call(['byBearer'], undefined, { env: { SLUICE_TOKEN: 'abc\ndef' } })
    expect({ code, stderr }).toEqual({
      ...{
        code: 2,
        stderr:
          'Error: SLUICE_TOKEN: it holds characters that a header cannot carry: a line break in the middle, perhaps\n',
      },
    })
  })
})

describe('a token that is refused', () => {
  const refusal = {
    status: 401,
    headers: { 'content-type': 'application/problem+json' },
    body: `{"title":"${TOKEN} expired"}`,
  }
  const watched = { isTTY: { stdout: true, stderr: true }, env: { SLUICE_TOKEN: TOKEN, NO_COLOR: '1' } }

  test('ends with 1; a person hears what to check, and nobody sees it', async () => {
    const { code, stderr } = await call(['byBearer'], [refusal], watched)
    expect({ code, stderr: stderr.trimStart() }).toEqual({
      ...{
        code: 1,
        stderr: 'Error: HTTP 401: [redacted] expired\nthe token was refused: it may have expired; check SLUICE_TOKEN\n',
      },
    })
  })

  test('S1: in a script it is one line', async () => {
    const { code, stdout, stderr } = await call(['byBearer', '--no-token'], [{ ...refusal, body: '{"title":"Who?"}' }])
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '{"title":"Who?"}', stderr: 'Error: HTTP 401: Who?\n' })
  })

  test('without one, a person hears how to give it', async () => {
    const { stderr } = await call(['byBearer'], [{ status: 401 }], { ...watched, env: { NO_COLOR: '1' } })
    expect(stderr).toMatch(/\nno token was sent: set SLUICE_TOKEN, or give --token-file FILE\n$/)
  })
})

describe('redirects, over real sockets', () => {
  const cases = [
    ['byBearer', 'authorization'],
    ['byKey', 'x-api-key'],
    ['byCookie', 'cookie'],
  ] as const

  test.each(cases)('%s: to another origin without the secret', async (operation, header) => {
    const other = await serve((_, response) => response.end('there\n'))
    const { url, received } = await serve((_, response) =>
      response.writeHead(302, { location: `${other.url}/x` }).end(),
    )
    const args = [operation, '--base-url', url, '-i']
    const { code, stdout, stderr } = await call(args, undefined, { fetch, env: { SLUICE_TOKEN: TOKEN } })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^HTTP 200[\s\S]*there\n$/)
    expect(received[0]?.headers[header]).toContain('tok-5f2c')
    expect(other.received.map(({ path }) => path)).toEqual(['/x'])
    expect(JSON.stringify(other.received)).not.toContain('tok-5f2c')
  })

  test('within the origin with it, and there and back again without', async () => {
    const other = await serve((_, response) => response.writeHead(302, { location: back }).end())
    const { url, received } = await serve((nth, response) =>
      nth === 1
        ? response.writeHead(301, { location: '/moved' }).end()
        : nth === 2
          ? response.writeHead(302, { location: `${other.url}/x` }).end()
          : response.end('home\n'),
    )
    const back = `${url}/home`
    expect(await call(['byKey', '--base-url', url], undefined, { fetch, env: { SLUICE_TOKEN: TOKEN } })).toMatchObject({
      ...{ code: 0, stdout: 'home\n' },
    })
    expect(received.map(({ path, headers }) => [path, headers['x-api-key']])).toEqual([
      ['/by/key', TOKEN],
      ['/moved', TOKEN],
      ['/home', undefined],
    ])
  })

  test('that lead nowhere, or round in a circle, fail as a connection does', async () => {
    const { url, received } = await serve((_, response) => response.writeHead(302, { location: '/again' }).end())
    const { code, stderr } = await call(['byKey', '--base-url', url, '--no-retry'], undefined, {
      fetch,
      env: { SLUICE_TOKEN: TOKEN },
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Error: .*\n$/)
    expect(received).toHaveLength(21)
  })
})
