import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { compile } from '../generate/compile.js'
import { driveAll } from '../generate/drive.js'
import { workshop } from '../generate/workshop.js'
import { type Cost, measured } from './measured.js'

// GitHub's REST description: 13 MB, too heavy a dependency. `pnpm generate:github` fetches and measures it.
const PACKAGE = '@octokit/openapi@23.0.2'
const OPERATIONS = 1223

const require = createRequire(import.meta.url)
const folder = workshop()
const document = join(folder, 'api.github.com.json')
const output = join(folder, 'sdk')
const program = new URL('generate.mjs', import.meta.url).pathname

const show = (what: string, { seconds, cpuSeconds, megabytes }: Cost): void =>
  console.log(`${what}: ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU, ${megabytes.toFixed(0)} MB`)

beforeAll(() => {
  execFileSync('npm', ['pack', '--silent', PACKAGE], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  const member = 'package/generated/api.github.com.json'
  execFileSync('tar', ['-xzf', archive, '--strip-components=2', member], { cwd: folder })
}, 300_000)

describe('GitHub’s REST description', () => {
  test('costs at most 1.3 times what both generators cost alone', () => {
    const openapiTypescript = join(dirname(require.resolve('openapi-typescript/package.json')), 'bin/cli.js')
    const heyApi = join(dirname(require.resolve('@hey-api/openapi-ts/package.json')), 'bin/run.js')
    const types = measured(folder, openapiTypescript, document, '-o', 'alone-types.ts')
    show('openapi-typescript alone', types)
    const sdk = measured(
      folder,
      heyApi,
      '-i',
      document,
      '-o',
      'alone-sdk',
      '-c',
      '@hey-api/client-fetch',
      '--no-log-file',
    )
    show('hey-api alone', sdk)
    const ours = measured(folder, program, document, output)
    show('sluice generate', ours)
    expect(ours.seconds).toBeLessThan(1.3 * (types.seconds + sdk.seconds))
    expect(ours.cpuSeconds).toBeLessThan(1.3 * (types.cpuSeconds + sdk.cpuSeconds))
  })

  test('compiles, and every operation retries', async () => {
    const start = performance.now()
    expect(compile(output, join(folder, 'js'))).toEqual([])
    console.log(`compiled in ${((performance.now() - start) / 1000).toFixed(1)} s`)
    const driven = await driveAll(join(folder, 'js/sdk.gen.js'))
    expect(driven).toHaveLength(OPERATIONS)
    expect(driven.filter(({ sends, status }) => sends.length !== 2 || sends[0] !== sends[1] || status !== 200)).toEqual(
      [],
    )
  })

  test('one tag is fast', () => {
    const part = measured(folder, program, document, join(folder, 'part'), 'gists')
    show('sluice generate --tags gists', part)
    expect(part.cpuSeconds).toBeLessThan(20)
    expect(compile(join(folder, 'part'), join(folder, 'part-js'))).toEqual([])
  })
})
