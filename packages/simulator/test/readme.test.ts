import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const folder = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const block = (language: string): string => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ?? ''

it('the snippet of README.md prints what README.md says', async () => {
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', block('ts')], { cwd: folder })
  expect((await run).stdout).toBe(block('text'))
})
