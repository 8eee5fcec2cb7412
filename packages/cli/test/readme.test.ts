import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BIN, start } from './child.js'
import { serve } from './server.js'

// README.md: a `console` block is commands after `$ `, each with what it prints, stdout before stderr, and a line
// `exit code N` where that is not 0. `…` stands for what differs from run to run.
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = [...readme.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
const commands = blocks.flatMap((block) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [command = '', ...prints] = text.trimEnd().split('\n')
      return { command, prints: prints.join('\n') }
    }),
)

const CACHE = mkdtempSync(join(tmpdir(), 'sluice-readme-'))

const PUBLIC = 'https://api.example.com'

const patternOf = (prints: string): RegExp =>
  new RegExp(`^${prints.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '[\\s\\S]*')}$`)

const DATA_SOURCES = JSON.stringify({
  data_sources: [
    { name: 'clicks', state: 'flowing' },
    { name: 'orders', state: 'delayed' },
  ],
  next_cursor: null,
})

/** What the README says of its server. */
const service = () =>
  serve((nth, response, { path }) => {
    if (path === '/busy') response.writeHead(429, { 'retry-after': '3600' }).end()
    else if (path === '/missing')
      response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{"title":"No such item"}\n')
    else if (path === '/v1/datasources')
      response.writeHead(200, { 'content-type': 'application/json' }).end(DATA_SOURCES)
    else if (nth === 1) response.writeHead(429, { 'retry-after': '1' }).end()
    else response.end('{"items":[1,2,3]}\n')
  })

describe('README.md', () => {
  test('has commands', () => expect(commands.length).toBeGreaterThan(7))

  for (const { command, prints } of commands)
    test(command, async () => {
      const { url } = await service()
      const asFunction = `sluice() { '${process.execPath}' '${BIN}' "$@"; }; ${command.replaceAll(PUBLIC, url)}`
      const { code, stdout, stderr } = await start('bash', ['--norc', '-c', asFunction], { XDG_CACHE_HOME: CACHE })
        .ended
      const seen = [stdout, stderr, code === 0 ? '' : `exit code ${code}\n`].join('').trimEnd()
      expect(seen.replaceAll(url, PUBLIC)).toMatch(patternOf(prints))
    })
})
