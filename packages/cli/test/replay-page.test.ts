import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { BIN, start } from './child.js'
import { commandsOf, patternOf } from './console-blocks.js'

const root = new URL('../../../', import.meta.url)
const page = readFileSync(new URL('docs/limiter.md', root), 'utf8')
const commands = commandsOf(page)

// Commands are run one after another in a folder of their own, beside the scripts of the repository.
const folder = mkdtempSync(join(tmpdir(), 'sluice-page-'))
symlinkSync(fileURLToPath(new URL('scripts', root)), join(folder, 'scripts'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('docs/limiter.md', () => {
  test.each(commands)('$command', async ({ command, prints }) => {
    const functions = `node() { '${process.execPath}' "$@"; }; sluice() { node '${BIN}' "$@"; }`
    const { code, stdout, stderr } = await start('bash', ['--norc', '-c', `cd '${folder}'; ${functions}; ${command}`])
      .ended
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.trimEnd()).toMatch(patternOf(prints))
  })

  test('makes the picture that it shows', () => {
    expect(commands).toHaveLength(2)
    expect(page).toContain('](limiter.svg)')
    const made = readFileSync(join(folder, 'picture.svg'), 'utf8')
    expect(made === readFileSync(new URL('docs/limiter.svg', root), 'utf8'), 'docs/limiter.svg is stale').toBe(true)
  })

  test('its links lead to headings that there are', () => {
    for (const [, path = '', anchor = ''] of page.matchAll(/\]\(([^)#]+\.md)#([^)]+)\)/g)) {
      const there = readFileSync(new URL(path, new URL('docs/', root)), 'utf8')
      const anchors = [...there.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      )
      expect(anchors, path).toContain(anchor)
    }
  })
})
