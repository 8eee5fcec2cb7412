import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createCommand } from '../src/command.js'
import { type LoadedConfig, loadConfig } from '../src/config/load-config.js'
import { SECRET } from './running-gateway.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-config-'))
const file = join(folder, 'gateway.yaml')
afterAll(() => rmSync(folder, { recursive: true }))

/** What holds where this is in the file, and that in the environment and on the command line. */
async function load(
  text: string,
  environment: NodeJS.ProcessEnv = {},
  args: readonly string[] = [],
): Promise<LoadedConfig> {
  writeFileSync(file, text)
  let loaded: LoadedConfig | undefined
  const start = async (command: Parameters<typeof loadConfig>[0]) => {
    loaded = await loadConfig(command, environment)
  }
  await createCommand({ start, token: () => undefined }).parseAsync(['--config', file, ...args], { from: 'user' })
  if (loaded === undefined) throw new Error('nothing was started')
  return loaded
}

describe('the configuration', () => {
  it('holds by the command line, then the environment, then the file, then defaults', async () => {
    const text = 'port: 1\nwindow: 1000\nmaxConcurrent: 3\nspool: /srv/spool\nisolation: off\nrate: 7\nnodes: []\n'
    const { options, fresh } = await load(text, { SLUICE_PORT: '2', SLUICE_WINDOW: '2000' }, ['--window', '3000'])
    expect(options).toMatchObject({
      ...{ port: 2, host: '127.0.0.1', spoolDir: '/srv/spool', isolation: false, writeTimeoutMs: 10_000 },
      ...{ limit: { windowMs: 3000, maxConcurrent: 3 }, plans: { default: { ratePerSecond: 7, burst: 10 } } },
      tokens: [{ name: 'default', scopes: ['admin'], hash: expect.stringMatching(/^sha256:/) }],
    })
    expect(fresh).toMatch(/^[\w-]{32}$/)
    expect((await load('')).options.tokens).toEqual([{ name: 'default', hash: expect.any(String) }]) // it reads, no more
  })

  it('has nodes, plans and tokens in the file', async () => {
    const replicated = { path: '/sluice/tables', replica: 'r1' }
    const nodes = [{ name: 'ch-1', url: 'http://127.0.0.1:8123', user: 'sluice', password: 'geheim', replicated }]
    const tokens = [{ name: 'ann', token: SECRET, plan: 'fast', tenant: 'acme', scopes: ['owner:*'] }]
    const text = JSON.stringify({ nodes, tokens, plans: { fast: { ratePerSecond: 9, burst: 9 } } }) // JSON is YAML
    const { options, fresh } = await load(text)
    expect([options.nodes, options.tokens, options.plans?.fast, fresh]).toEqual([
      ...[nodes, tokens, { ratePerSecond: 9, burst: 9 }, undefined],
    ])
  })

  it.each([
    ['prot: 1', 'gateway.yaml: prot is no setting; there are port, host,'],
    ['[1]', 'gateway.yaml: (the file) has no settings; write settings by the names of the flags'],
    ['port: 99999', 'gateway.yaml: port is "99999". It must be a whole number from 0 to 65535.'],
    ['port: [1]', 'gateway.yaml: port is not a text or a number'],
    ['corsOrigin: x', 'gateway.yaml: corsOrigin is not a list of texts'],
    ['quiet: maybe', 'gateway.yaml: quiet is "maybe"; write one of true, 1, yes, on or false, 0, no, off'],
    ['controller: x', 'gateway.yaml: controller is "x". It must be one of knee, windowed.'],
    ['nodes: 1', 'gateway.yaml: nodes must be a list of nodes'],
    ['nodes: [{ name: a }]', 'gateway.yaml: nodes.0.url is not text'],
    [`a: [${SECRET}\n b: {`, 'gateway.yaml: (the file) is not YAML or JSON at line'],
    [`tokens: [{ name: a, token: ${SECRET}, scopes: [all] }]`, 'tokens.0.scopes.0 must be admin, or owner:NAME'],
    [`tokens: [{ name: a, token: ${SECRET}, tenant: a b }]`, 'tokens.0.tenant must be 1 to 64 letters'],
  ])('says what is wrong with %j', async (text, message) => {
    const refused = await load(text).catch((error: unknown) => String(error))
    expect(refused).toContain(message)
    expect(refused).not.toContain(SECRET)
  })

  it('says what is wrong in the environment', async () => {
    await expect(load('', { SLUICE_PORT: 'x' })).rejects.toThrow('environment: SLUICE_PORT is "x". It must be a whole')
    await expect(load('', { SLUICE_ISOLATION: 'x' })).rejects.toThrow(
      'environment: SLUICE_ISOLATION is "x"; write one of',
    )
    expect((await load('', { SLUICE_CORS_ORIGIN: 'a, b' })).options.corsOrigins).toEqual(['a', 'b'])
  })
})
