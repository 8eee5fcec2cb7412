import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { temporaryFolders } from './spool/folders.js'

const folder = temporaryFolders()
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text)
const programs = [...blocks('ts'), ...blocks('js')]
const outputs = blocks('text')

it.each(programs.map((program, i) => [i + 1, program, outputs[i]] as const))(
  'snippet %i of README.md prints what README.md says',
  async (_, program, output) => {
    // Imports are those of this package, wherever the program runs; the one type argument is for readers.
    const resolved = program
      .replace('new Gatherer<object>(', 'new Gatherer(')
      .replace(/from '(@sluice[^']+)'/g, (__, name: string) => `from '${import.meta.resolve(name)}'`)
    const args = ['--input-type=module', '--eval', resolved]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder() })
    expect(stdout).toBe(output)
  },
)
