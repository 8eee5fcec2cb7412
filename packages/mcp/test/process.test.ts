import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LOGS, start } from './child.js'

const file = (text: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'sluice-mcp-')), 'file')
  writeFileSync(path, text)
  return path
}

test('stdout holds nothing but protocol, and the end of stdin ends the server', async () => {
  const child = start(['--openapi', LOGS, '--base-url', 'http://127.0.0.1:9', '--log-level', 'debug'])
  const ask = (message: object): void =>
    void child.process.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  ask({ id: 1, method: 'initialize', params: info })
  ask({ method: 'notifications/initialized' })
  ask({ id: 2, method: 'tools/list' })
  ask({ id: 3, method: 'tools/call', params: { name: 'get_log', arguments: { id: 1 } } })
  await expect.poll(child.stdout, { timeout: 20_000 }).toMatch(/"id":3/)
  child.process.stdin?.end()
  expect(await child.ended).toBe(0)
  const ids = child
    .stdout()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id)
  expect(ids.sort()).toEqual([1, 2, 3])
  expect(child.stderr()).toContain('2 tools of Logs 1, called at http://127.0.0.1:9\n')
  expect(child.stderr()).toContain('left out: followLogs: answers with an event stream, which has no end\n')
})

test('SIGTERM ends it in order', async () => {
  const child = start(['--openapi', LOGS, '--base-url', 'http://127.0.0.1:9'])
  await child.said(/2 tools/)
  child.process.kill('SIGTERM')
  expect(await child.ended).toBe(0)
})

test('--help and --version go to stdout', async () => {
  const help = start(['--help'])
  expect(await help.ended).toBe(0)
  expect(help.stdout()).toMatch(/^Usage: sluice-mcp/)
  const version = start(['--version'])
  expect(await version.ended).toBe(0)
  expect(version.stdout()).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test.each<[string, string[], Record<string, string>, RegExp]>([
  ['an unknown flag', ['--opanapi', 'x'], {}, /^Error: unknown option '--opanapi'\n.*--openapi/],
  ['no such document', ['--openapi', '/nowhere.yaml'], {}, /^Error: .*\/nowhere\.yaml/],
  ['a broken document', ['--openapi', file('openapi: 3.1.0\ninfo: {')], {}, /^Error: \S+file:\d+:\d+: /],
  ['stdin as a document', ['--openapi', '-'], {}, /^Error: --openapi: stdin is taken by the protocol/],
  [
    'no URL',
    ['--openapi', LOGS, '--base-url', 'api.example.com'],
    {},
    /^Error: --base-url: api\.example\.com is no URL/,
  ],
  [
    'a URL with a password',
    ['--openapi', LOGS, '--base-url', 'https://u:5ecret@x.example'],
    {},
    /^Error: --base-url: it holds a user name or password/,
  ],
  [
    'a pattern that means nothing',
    ['--openapi', LOGS, '--include', 'tag:lgos'],
    {},
    /^Error: --include tag:lgos: .*tag:logs/,
  ],
  ['only writing tools', ['--openapi', LOGS, '--include', 'tag:admin'], {}, /--allow-write offers the other 1/],
  ['a deadline', ['--openapi', LOGS, '--deadline', '50'], {}, /--deadline.*such as 500ms, 50s/],
  ['an error mode', ['--openapi', LOGS, '--error-mode', 'x'], {}, /result, protocol/],
  ['a header', ['--openapi', LOGS, '--header', '5ecret'], {}, /^Error: --header: a header is written 'Name: value'/],
  [
    'a token with line breaks',
    ['--openapi', LOGS],
    { SLUICE_TOKEN: '5ecret\nx' },
    /^Error: SLUICE_TOKEN: the token must/,
  ],
  ['no token file', ['--openapi', LOGS, '--token-file', '/nowhere'], {}, /^Error: --token-file \/nowhere: .*ENOENT/],
  ['an empty token file', ['--openapi', LOGS, '--token-file', file('\n')], {}, /the file is empty/],
  ['an open address', ['--openapi', LOGS, '--http', '0.0.0.0:0'], {}, /^Error: --http: others can reach 0\.0\.0\.0/],
  ['no address', ['--openapi', LOGS, '--http', 'x:y'], {}, /^Error: --http: x:y is no address/],
])('bad input: %s', async (_, args, env, message) => {
  const child = start(args, env)
  expect(await child.ended).toBe(2)
  expect(child.stderr()).toMatch(message)
  expect(child.stderr().trimEnd().split('\n').length).toBeLessThan(3)
  expect(`${child.stderr()}${child.stdout()}`).not.toContain('5ecret')
  expect(child.stdout()).toBe('')
})
