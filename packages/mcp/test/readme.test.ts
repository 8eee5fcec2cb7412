import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript'
import { expect, test } from 'vitest'
import { environment, LOGS, start } from './child.js'
import { host } from './hosts.js'
import { serve } from './server.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const block = (tag: string): string => new RegExp(`^\`\`\`${tag}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readme)?.[1] ?? ''
const folder = fileURLToPath(new URL('../.report/', import.meta.url))

const busy = () => serve((_, response) => void response.writeHead(429, { 'retry-after': '30' }).end())

test('the program prints what README.md says', async () => {
  const { url } = await busy()
  mkdirSync(folder, { recursive: true })
  copyFileSync(LOGS, `${folder}openapi.yaml`)
  const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 }
  writeFileSync(`${folder}readme.mjs`, transpileModule(block('ts'), { compilerOptions }).outputText)
  const { stdout } = await promisify(execFile)(process.execPath, ['readme.mjs'], {
    ...{ cwd: folder, env: environment({ API_URL: url }) },
  })
  expect(stdout).toBe(block('text'))
})

test("the host's configuration starts a server", async () => {
  const { url } = await busy()
  const { command, args } = JSON.parse(block('json')).mcpServers.logs
  expect([command, ...args.slice(0, 2)]).toEqual(['npx', '-y', '@sluice/mcp'])
  const given = args.slice(2).map((one: string) => one.replace('./openapi.yaml', LOGS).replace(/^https:.*/, url))
  const { list } = await host('v2 over stdio', given, { SLUICE_TOKEN: 'secret' })
  expect((await list()).map(({ name }) => name)).toEqual(['search_logs', 'get_log'])
})

test('the table of flags has every flag of --help', async () => {
  const help = start(['--help'])
  await help.ended
  const flags = [...help.stdout().matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag)
  expect(flags.length).toBeGreaterThan(12)
  for (const flag of flags.filter((one) => one !== '--version' && one !== '--help'))
    expect(readme).toContain(`\`${flag}`)
})
