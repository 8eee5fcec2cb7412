import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { serve } from '../server.js'
import { call } from './call.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-call-'))
const file = (name: string, content: string): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** What one call sent. */
async function sent(args: readonly string[], given: Parameters<typeof call>[2] = {}) {
  const { code, stderr, sends } = await call(args, undefined, given)
  expect({ code, stderr, sends: sends.length }).toEqual({ code: 0, stderr: '', sends: 1 })
  const [{ method, url, headers, body } = { method: '', url: '', headers: {} as Record<string, string>, body: '' }] =
    sends
  return { method, url, headers, body }
}

const BASE = 'https://service.test'

describe('parameters', () => {
  test.each([
    [['items'], '/items'],
    [['ITEMS', '--per-page', '5'], '/items?per_page=5'],
    [['items', '--per-page=5', '--sort', 'name'], '/items?per_page=5&sort=name'],
    [['items', '--tags', 'a', '--tags', 'b'], '/items?tags=a&tags=b'],
    [['items', '--tags', '["a","c"]'], '/items?tags=a&tags=c'],
    [['items', '--open'], '/items?open=true'],
    [['items', '--no-open'], '/items?open=false'],
    [['items', '--arg', 'open=false', '--arg', 'per_page=2'], '/items?per_page=2&open=false'],
    [['items', '--filter', '{"owner":{"login":"ann"}}'], '/items?filter%5Bowner%5D%5Blogin%5D=ann'],
    // What our own options are called, what begins with "no-", and what no flag can be made of.
    [['items', '--query-output', 'x'], '/items?output=x'],
    [['items', '--query-no-cache', 'x'], '/items?no-cache=x'],
    [['items', '--arg', '名=x y=z'], '/items?%E5%90%8D=x%20y%3Dz'],
    [['items', '--big', '12345678901234567890'], '/items?big=12345678901234567890'],
    [['items', '--per-page', '-5'], '/items?per_page=-5'],
  ] as const)('%j', async (args, path) => expect((await sent(args)).url).toBe(BASE + path))

  test('of a path, encoded', async () => {
    const { url, method, body, headers } = await sent(['putItem', '--shelf', 'a/b c', '--item-id', '7', '--body', '{}'])
    expect({ url, method, body }).toEqual({ method: 'PUT', url: `${BASE}/shelves/a%2Fb%20c/items/7`, body: '{}' })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^sluice\//),
    })
  })
})

describe('the body', () => {
  const item = ['putItem', '--shelf', 'a', '--item-id', '7']

  test('from flags; a field whose name is taken says so', async () => {
    const args = [
      '--name',
      'x',
      '--body-size',
      '3',
      '--size',
      '9',
      '--ratio',
      '0.5',
      '--no-open',
      '--labels',
      'p',
      '--labels',
      'q',
    ]
    const { body, url } = await sent([...item, ...args, '--owner', '{"login":"ann"}', '--body-output', 'o'])
    expect(url).toBe(`${BASE}/shelves/a/items/7?size=9`)
    expect(JSON.parse(body ?? '')).toEqual({
      ...{ name: 'x', size: 3, ratio: 0.5, open: false, labels: ['p', 'q'], owner: { login: 'ann' }, output: 'o' },
    })
  })

  test('as text: the digits and the order that were typed', async () => {
    const text = '{"size": 12345678901234567890, "name": "x"}'
    expect((await sent([...item, '-d', text])).body).toBe(text)
  })

  test('by the type that a file is named after', async () => {
    const lines = await sent(['sendLines', '--body', `@${file('a.jsonl', '{"a":1}\n')}`])
    expect([lines.headers['content-type'], lines.body]).toEqual(['application/x-ndjson', '{"a":1}\n'])
    const json = await sent(['sendLines', '--body', `@${file('a.json', '[{"a":1}]')}`])
    expect([json.headers['content-type'], json.body]).toEqual(['application/json', '[{"a":1}]'])
    const typed = await sent(['sendLines', '--body', '[{"a":1},{"a":2}]', '--body-type', 'application/x-ndjson'])
    expect([typed.headers['content-type'], typed.body]).toEqual(['application/x-ndjson', '{"a":1}\n{"a":2}\n'])
  })

  test('from stdin', async () => {
    const { headers, body } = await sent(['sendLines', '--body', '-'], {
      stdin: Readable.from(['{"a":1}\n', '{"a":2}\n']),
    })
    expect([headers['content-type'], body]).toEqual(['application/x-ndjson', '{"a":1}\n{"a":2}\n'])
  })

  test('of bytes', async () => {
    const { headers, body } = await sent(['putRaw', '--body', `@${file('raw', 'abc')}`])
    expect([headers['content-type'], body]).toEqual(['application/octet-stream', 'abc'])
  })

  test('a form with a file, read anew for each attempt', async () => {
    const { url, received } = await serve((nth, response) =>
      nth === 1 ? response.writeHead(429, { 'retry-after': '0' }).end() : response.writeHead(201).end(),
    )
    const args = ['uploadPhoto', '--base-url', url, '--photo', `@${file('cat.jpg', 'PIXELS')}`, '--caption', 'A cat']
    expect(await call(args, undefined, { fetch })).toMatchObject({ code: 0, stderr: '' })
    expect(received).toHaveLength(2)
    for (const { body, headers } of received) {
      expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
      expect(body).toMatch(/name="photo"; filename="cat.jpg"[\s\S]*PIXELS[\s\S]*name="caption"\r\n\r\nA cat/)
    }
  })
})

describe('Idempotency-Key', () => {
  test('is ours to send, also where the document names it', async () => {
    const { headers } = await sent(['addNote', '--idempotency-key', 'n-7'])
    expect(headers['idempotency-key']).toBe('n-7')
    expect((await sent(['addNote', '--idempotency-key'])).headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('what the document says of retries', () => {
  const failing = async (args: readonly string[]) => {
    const { code, sends, stderr } = await call(args, [{ status: 503 }])
    return { code, sends: sends.length, stderr }
  }
  const put = ['putItem', '--shelf', 'a', '--item-id', '7', '--body', '{}']

  test('x-sluice-retry', async () => {
    expect(await failing(put)).toEqual({ code: 1, sends: 2, stderr: 'Error: HTTP 503 after 2 attempts\n' })
    expect(await failing(['pay'])).toMatchObject({ code: 1, sends: 1 })
    expect(await failing(['addNote', '--idempotency-key'])).toMatchObject({ sends: 4 })
  })

  test('the command line has the last word', async () => {
    expect(await failing([...put, '--max-attempts', '3'])).toMatchObject({ sends: 3 })
    expect(await failing([...put, '--no-retry'])).toMatchObject({ sends: 1 })
    expect(await failing([...put, '--preset', 'interactive'])).toMatchObject({ sends: 4 })
    expect(await failing([...put, '--policy', '{"max_attempts":3}'])).toMatchObject({ sends: 3 })
    expect(await failing(['pay', '--max-attempts', '2', '--idempotent'])).toMatchObject({ sends: 2 })
    const { code, sends } = await call(put, [{ status: 503 }], { env: { SLUICE_NO_RETRY: '1' } })
    expect([code, sends.length]).toEqual([1, 1])
  })
})

describe('where a call goes', () => {
  const nowhere = { SLUICE_BASE_URL: '' }

  test('the address on the command line, that of the environment, that of the document', async () => {
    expect((await sent(['items', '--base-url', 'https://other.test/v2/'])).url).toBe('https://other.test/v2/items')
    expect((await sent(['items'])).url).toBe('https://service.test/items')
    expect((await sent(['items'], { env: nowhere })).url).toBe('https://document.test/v1/items')
  })

  test('the gateway, by its own document', async () => {
    const { url, headers } = await sent(['getHealth'], { env: { ...nowhere, SLUICE_OPENAPI: '' } })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:8787\//)
    expect(headers).not.toHaveProperty('authorization')
  })

  test('no secret goes to an address that only the document names', async () => {
    const remedy =
      'is sent to no address that only a document names (https://document.test/v1); name it with --base-url'
    for (const [args, env, secret] of [
      [['--token', 'abc-secret'], {}, '--token'],
      [['--token-file', file('token', 'abc-secret\n')], {}, '--token-file'],
      [[], { SLUICE_TOKEN: 'abc-secret' }, 'SLUICE_TOKEN'],
    ] as const) {
      const { code, stderr, sends } = await call(['byKey', ...args], undefined, { env: { ...nowhere, ...env } })
      expect({ code, stderr, sends }).toEqual({
        code: 2,
        stderr: `Error: ${secret} ${remedy}, or give --no-token\n`,
        sends: [],
      })
    }
    for (const header of ['Authorization', 'X-Api-Key', 'Cookie']) {
      const { code, stderr, sends } = await call(['byKey', '-H', `${header}: abc`], undefined, { env: nowhere })
      expect({ code, stderr, sends }).toEqual({
        code: 2,
        stderr: `Error: -H ${header.toLowerCase()} ${remedy}\n`,
        sends: [],
      })
    }
    const { url, headers } = await sent(['byKey', '--no-token'], { env: { ...nowhere, SLUICE_TOKEN: 'abc-secret' } })
    expect(url).toBe('https://document.test/v1/by/key')
    expect(JSON.stringify(headers)).not.toContain('abc-secret')
  })
})

test('-o writes the body of a success', async () => {
  const path = join(folder, 'out.json')
  expect(await call(['items', '-o', path], [{ status: 200, body: '[1]' }])).toMatchObject({ code: 0, stdout: '' })
  expect(readFileSync(path, 'utf8')).toBe('[1]')
  // As asked for, or not at all.
  const table = await call(['items', '-o', path, '--format', 'ndjson'], [{ status: 200, body: '[1,2]' }])
  expect([table.code, readFileSync(path, 'utf8')]).toEqual([0, '1\n2\n'])
  const broken = await call(['items', '-o', path, '--format', 'ndjson'], [{ status: 200, body: '<p>' }])
  expect(broken).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/; the file was left alone\n$/) })
  expect(readFileSync(path, 'utf8')).toBe('1\n2\n')
})
