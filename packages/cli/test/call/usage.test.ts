import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { serve } from '../server.js'
import { call } from './call.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-call-'))

/** Each is told in one sentence, ends with 2, and sends nothing. */
async function refused(args: readonly string[], message: string | RegExp, env: Record<string, string> = {}) {
  const { code, stdout, stderr, sends } = await call(args, undefined, { env })
  expect(stderr).toMatch(message instanceof RegExp ? message : /(?:)/)
  if (typeof message === 'string') expect(stderr).toBe(`Error: ${message}\n`)
  expect({ code, stdout, sends: sends.length }).toEqual({ code: 2, stdout: '', sends: 0 })
}

describe('wrong usage', () => {
  test.each([
    [['item'], /^Error: no operation item in this document; did you mean items/],
    [['qqqq'], /^Error: no operation qqqq in this document; sluice call --list shows them\n$/],
    [[], /^Error: name an operation: sluice call OPERATION; sluice call --list shows them all\n$/],
    [['--per-page', '3', 'items'], /^Error: name an operation: .*the name comes before its flags/],
    [['items', 'more'], /^Error: too many arguments/],
    [['items', '--per-pge', '5'], /^Error: unknown option '--per-pge'\n\(Did you mean --per-page\?\)\n$/],
    [['items', '--tokn=my-secret'], "unknown option '--tokn'"],
    [['putItem', '--name', 'x'], 'putItem needs --shelf, --item-id, --body-size'],
    [['putItem', '--shelf', 'a', '--item-id', '1'], 'putItem needs --name, --body-size'],
    [['sendLines'], 'sendLines needs --body'],
    [['addNote'], 'addNote needs --idempotency-key'],
    [['items', '--per-page', 'many'], '--per-page must be a whole number; got "many"'],
    [['items', '--per-page', '1.5'], '--per-page must be a whole number; got "1.5"'],
    [['items', '--per-page', '1', '--per-page', '2'], '--per-page takes one value; got 2'],
    [['items', '--sort', 'age'], '--sort must be one of name, size; got "age"'],
    [['items', '--tags', 'a', '--tags', 'z'], '--tags must be one of a, b, c; got "z"'],
    [['items', '--secret', 'my-password'], '--secret must be one of hidden-one; got something else'],
    [['items', '--filter', 'open'], '--filter must be an object, written as JSON; got "open"'],
    [['items', '--arg', 'per_page'], '--arg is written name=value; got "per_page"'],
    [['items', '--arg', 'perpage=3'], '--arg: items has no perpage; did you mean per_page?'],
    [['items', '--body', '{}'], '--body: items takes no body'],
    [
      ['sendLines', '--body', '{oops'],
      /^Error: --body: this is not JSON: .*; for another form name its --body-type: application\/x-ndjson, application\/json\n$/,
    ],
    [['sendLines', '--body', '@no/such'], '--body: no/such cannot be read (ENOENT)'],
    [
      ['sendLines', '--body', '[]', '--body-type', 'text/csv'],
      /^Error: --body-type: sendLines takes .*; got text\/csv\n$/,
    ],
    [
      ['putItem', '--shelf', 'a', '--item-id', '1', '--name', 'x', '--body', '{}'],
      'give --body or fields of it such as --name, not both',
    ],
    [
      ['putItem', '--shelf', '..', '--item-id', '1', '--body', '{}'],
      /^Error: --shelf: must not make \.\. a part of the path/,
    ],
    [
      ['putItem', '--shelf', 'a', '--item-id', '1', '--name', 'x', '--body-size', '99999999999999999999'],
      /^Error: --body-size: 9+ is too large to be exact here/,
    ],
    [['uploadPhoto', '--photo', '@no/such'], '--photo: no/such cannot be read (ENOENT)'],
    [
      ['items', '--format', 'xml'],
      /^Error: option '--format <how>' argument 'xml' is invalid. Allowed choices are json, table, ndjson, raw/,
    ],
    [['items', '--columns', 'a'], '--columns is for --format table'],
    [['items', '--base-url', 'nowhere'], /^Error: --base-url: nowhere is no absolute URL/],
    [['items', '--openapi', '-', '--body', '-'], '--openapi and --body cannot both read stdin'],
    [['--tag', 'Itms'], '--tag: there is no tag Itms; did you mean Items?'],
    [['--list', 'zebra'], 'no operation has zebra in it'],
    [['items', '--token', 'a', '--token-file', 'b'], 'give one of --token and --token-file'],
    [['items', '--token-file', 'no/such'], '--token-file: no/such cannot be read (ENOENT)'],
    [['items', '--token', ' '], '--token holds no token: it is empty'],
    [['byBasic', '--token', 'abc'], '--token: login is basic authentication: write user:password'],
    [
      ['byBoth', '--token', 'abc'],
      '--token: byBoth wants key and app, which one token cannot satisfy; give the rest in headers, or no token',
    ],
  ] as const)('%j', (args, message) => refused(args, message))

  test('as data', async () => {
    const { code, stderr } = await call(['putItem', '--json'])
    expect({ code, ...JSON.parse(stderr) }).toEqual({
      ...{ code: 'usage', message: 'putItem needs --shelf, --item-id, --name, --body-size' },
    })
  })
})

describe('the document', () => {
  test('that is not there', () =>
    refused(['items', '--openapi', 'no/such.yaml'], '--openapi: no/such.yaml: there is no such file'))

  test('that the environment names', () =>
    refused(['items'], /^Error: SLUICE_OPENAPI: no\/such.yaml: /, { SLUICE_OPENAPI: 'no/such.yaml' }))

  test('that is broken, with line and column', async () => {
    const path = join(folder, 'broken.yaml')
    writeFileSync(path, 'openapi: 3.1.0\ninfo: { title: a, version: 1 }\npaths:\n  /a: {get: [\n')
    await refused(['items', '--openapi', path], /^Error: --openapi: .*broken\.yaml:\d+:\d+: /)
  })

  test('that is no OpenAPI document', async () => {
    const path = join(folder, 'other.json')
    writeFileSync(path, '{"name":"x"}')
    await refused(['items', '--openapi', path], /^Error: --openapi: .*other\.json/)
  })

  test('whose server does not answer: 1, for the command line is right', async () => {
    const { url, close } = await serve(() => {})
    await close()
    const { code, stdout, stderr } = await call(['items', '--openapi', `${url}/api.json`], undefined, { fetch })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^Error: http:\/\/127\.0\.0\.1:\d+\/api\.json: .*ECONNREFUSED.*\n$/)
    const asData = await call(['items', '--json', '--openapi', `${url}/api.json`], undefined, { fetch })
    expect(JSON.parse(asData.stderr)).toMatchObject({ code: 'document' })
  })
})

test.each([
  ['http://ann:5ecret@127.0.0.1:1/openapi.json', 'http://127.0.0.1:1/openapi.json: a URL must hold no user name'],
  ['http://[bad', 'http://[bad: there is no such file; a URL must be http or https'],
])('a document that has no address is wrong usage: %s', async (source, message) => {
  const { code, stderr } = await call(['items', '--openapi', source])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`Error: --openapi: ${message}`) })
  expect(stderr).not.toContain('5ecret')
})
