import { describe, expect, test } from 'vitest'
import { call } from './call.js'

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const ROWS = '[{"id":12345678901234567890,"name":"a b","owner":{"login":"ann"}},{"id":2,"name":null,"more":true}]'

async function shown(
  args: readonly string[],
  body: string,
  headers: Record<string, string> = JSON_TYPE,
  terminal = false,
) {
  const { code, stdout, stderr } = await call(['items', ...args], [{ status: 200, headers, body }], {
    isTTY: { stdout: terminal, stderr: terminal },
    env: { NO_COLOR: '1' },
  })
  return { code, stdout, stderr }
}

const ok = (stdout: string) => ({ code: 0, stdout, stderr: '' })

describe('without --format', () => {
  test('an answer is left as it is', async () => expect(await shown([], ROWS)).toEqual(ok(ROWS)))

  test('on a terminal JSON is indented, digits and all', async () => {
    expect(await shown([], '{"a":[1,12345678901234567890,1.50]}', JSON_TYPE, true)).toEqual(
      ok('{\n  "a": [\n    1,\n    12345678901234567890,\n    1.50\n  ]\n}\n'),
    )
    expect(await shown([], 'plain', {}, true)).toEqual(ok('plain'))
    expect(await shown([], '{broken', JSON_TYPE, true)).toEqual(ok('{broken'))
    expect(await shown(['--format', 'raw'], '{"a":1}', JSON_TYPE, true)).toEqual(ok('{"a":1}'))
  })
})

describe('--format', () => {
  test('json indents everywhere', async () =>
    expect(await shown(['--format', 'json'], '{"a":1}')).toEqual(ok('{\n  "a": 1\n}\n')))

  test('ndjson is one item a line', async () => {
    expect(await shown(['--format', 'ndjson'], '[{"a": 1.0}, 2, "x"]')).toEqual(ok('{"a":1.0}\n2\n"x"\n'))
    expect(await shown(['--format', 'ndjson'], '{"data":[{"a":1},{"a":2}],"rows":2}')).toEqual(ok('{"a":1}\n{"a":2}\n'))
    expect(await shown(['--format', 'ndjson'], '{"a":1}')).toEqual(ok('{"a":1}\n'))
  })

  test('table has a column for each simple member', async () => {
    expect(await shown(['--format', 'table'], ROWS)).toEqual(
      ok('id                    name  more\n12345678901234567890  a b\n2                           true\n'),
    )
    expect(await shown(['--format', 'table', '--columns', 'owner.login,id'], ROWS)).toEqual(
      ok('owner.login  id\nann          12345678901234567890\n             2\n'),
    )
  })

  test('table of an object with one list in it, as the gateway answers; a person hears what stands beside', async () => {
    const body = '{"data_sources":[{"name":"clicks"}],"next_cursor":"c-2","none":null}'
    expect(await shown(['--format', 'table'], body)).toEqual(ok('name\nclicks\n'))
    expect(await shown(['--format', 'table'], body, JSON_TYPE, true)).toEqual({
      ...{ code: 0, stdout: 'name\nclicks\n', stderr: 'next_cursor: c-2\n' },
    })
  })

  test('table of lines, of scalars, of one thing, of nothing', async () => {
    expect(
      await shown(['--format', 'table'], '{"a":1}\n\n{"a":2}\n', { 'content-type': 'application/x-ndjson' }),
    ).toEqual(ok('a\n1\n2\n'))
    expect(await shown(['--format', 'table'], '["x","y"]')).toEqual(ok('value\nx\ny\n'))
    expect(await shown(['--format', 'table'], '{"name":"x","tags":["a"]}')).toEqual(ok('name\nx\n'))
    expect(await shown(['--format', 'table'], '[]')).toEqual(ok(''))
    expect(await shown(['--format', 'table'], '')).toEqual(ok(''))
  })

  test('no escape sequence of a server reaches the terminal through a table', async () => {
    const { stdout } = await shown(['--format', 'table'], '[{"a":"x\\u001b[31my\\nz"}]')
    expect(stdout).not.toMatch(/[^\P{Cc}\n]/u)
  })

  test('what is no JSON is written as it is, and said', async () => {
    expect(await shown(['--format', 'json'], '<p>', { 'content-type': 'text/html' })).toEqual({
      ...{ code: 1, stdout: '<p>' },
      stderr: 'Error: --format json: the answer is text/html, not JSON; it was written as it is\n',
    })
    const { code, stdout, stderr } = await shown(['--format', 'table'], '{"a":', JSON_TYPE)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '{"a":' })
    expect(stderr).toMatch(/^Error: --format table: the answer is broken: .*; it was written as it is\n$/)
  })

  test('an error answer is left as it is', async () => {
    const { code, stdout, stderr } = await call(['items', '--format', 'table'], [{ status: 404, body: '{"a":1}' }])
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '{"a":1}', stderr: 'Error: HTTP 404: Not Found\n' })
  })
})

describe('JSON of a kind that a server may send to do harm', () => {
  test('a text that is longer than the stack is deep', async () => {
    const body = `{"a":"${'x'.repeat(12_000_000)}","b":"${'\\"1'.repeat(3_000_000)}","c":1.0}`
    const { code, stdout, stderr } = await shown(['--format', 'json'], body)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.length - body.length).toBe(14) // what indents it
    expect(stdout.endsWith('"c": 1.0\n}\n')).toBe(true)
  })

  test.each(['json', 'table', 'ndjson'])('nested deeper than the stack, as %s', async (how) => {
    const body = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(await shown(['--format', how], body)).toEqual({
      ...{ code: 1, stdout: body },
      stderr: `Error: --format ${how}: the answer is nested too deeply; it was written as it is\n`,
    })
  })

  test('what stands beside rows keeps its digits, and no escape sequence reaches the terminal', async () => {
    const body = '{"data":[{"a":1}],"next":12345678901234567890,"more":"\\u001b[2Jx\\ny"}'
    const { stderr } = await shown(['--format', 'table'], body, JSON_TYPE, true)
    expect(stderr).toBe('next: 12345678901234567890, more: [2Jx y\n')
  })
})
