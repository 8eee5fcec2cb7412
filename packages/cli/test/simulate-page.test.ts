import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { BIN, start } from './child.js'
import { commandsOf, patternOf } from './console-blocks.js'

const page = readFileSync(new URL('../../../docs/simulate.md', import.meta.url), 'utf8')
const commands = commandsOf(page)

// Commands are run one after another in a folder of their own.
const folder = mkdtempSync(join(tmpdir(), 'sluice-simulate-page-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('docs/simulate.md', () => {
  test('has commands', () => expect(commands).toHaveLength(6))

  test.each(commands)('$command', async ({ command, prints }) => {
    const functions = `node() { '${process.execPath}' "$@"; }; sluice() { node '${BIN}' "$@"; }`
    const script = `cd '${folder}'; ${functions}; ${command}`
    const { code, stdout, stderr } = await start('bash', ['--norc', '-c', script]).ended
    const seen = [stdout, stderr, code === 0 ? '' : `exit code ${code}\n`].join('').trimEnd()
    expect(seen).toMatch(patternOf(prints))
  })
})
