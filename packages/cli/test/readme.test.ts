import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BIN, start } from './child.js'
import { commandsOf, patternOf } from './console-blocks.js'
import { serve } from './server.js'

const commands = commandsOf(readFileSync(new URL('../README.md', import.meta.url), 'utf8'))

const CACHE = mkdtempSync(join(tmpdir(), 'sluice-readme-'))

const PUBLIC = 'https://api.example.com'

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
