import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createCommand } from '../src/command.js'
import { type LoadedConfig, loadConfig } from '../src/config/load-config.js'
import { printedConfig } from '../src/config/print-config.js'
import { asGiven } from '../src/config/setting-fields.js'
import { ConfigError } from '../src/config-error.js'
import { checkOptions } from '../src/gateway-options.js'
import { SECRET } from './running-gateway.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-config-'))
const file = join(folder, 'gateway.yaml')
afterAll(() => rmSync(folder, { recursive: true }))

/** What holds where this is in the file, and that in the environment and on the command line. */
async function load(
  text: string,
  environment: NodeJS.ProcessEnv = {},
  args: readonly string[] = [],
): Promise<LoadedConfig & { readonly printed: string }> {
  writeFileSync(file, text)
  let loaded: (LoadedConfig & { readonly printed: string }) | undefined
  const start = async (command: Parameters<typeof loadConfig>[0]) => {
    const it = await loadConfig(command, environment)
    try {
      loaded = { ...it, printed: printedConfig(command, it, checkOptions(it.options)) }
    } catch (error) {
      throw error instanceof ConfigError ? asGiven(error, command, it.file) : error
    }
  }
  await createCommand({ start, token: () => undefined }).parseAsync(['--config', file, ...args], { from: 'user' })
  if (loaded === undefined) throw new Error('nothing was started')
  return loaded
}

const ann = { name: 'ann', token: SECRET }
/** Without where they are from. */
const values = (printed: string): string => printed.replace(/ *# .*/g, '')

describe('the configuration', () => {
  it('holds by the command line, then the environment, then the file, then defaults', async () => {
    const text = 'port: 1\nwindow: 1000\nmaxConcurrent: 3\nspool: /srv/spool\nisolation: off\nrate: 7\nnodes: []\n'
    const kept = 'maxBacklog: 8589934592\nmaxBacklogAge: 1\nfsyncInterval: 1\nmaxDataSources: 7\n'
    const environment = { SLUICE_PORT: '2', SLUICE_WINDOW: '2000', SLUICE_MAX_BACKLOG_AGE: '600000' }
    const flags = ['--window', '3000', '--fsync-interval', '0']
    const { options, fresh } = await load(text + kept, environment, flags)
    expect(options).toMatchObject({
      ...{ maxBacklogBytes: 8_589_934_592, maxBacklogAgeMs: 600_000, fsyncIntervalMs: 0 },
      ...{ maxDataSources: 7, maxPipes: 1000 },
      ...{ port: 2, host: '127.0.0.1', spoolDir: '/srv/spool', isolation: false, writeTimeoutMs: 10_000 },
      ...{ limit: { windowMs: 3000, maxConcurrent: 3 }, plans: { default: { ratePerSecond: 7, burst: 10 } } },
      tokens: [{ name: 'default', scopes: ['admin', 'operator'], hash: expect.stringMatching(/^sha256:/) }],
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
    ['port: [1]', 'gateway.yaml: port is [1]; it must be one number'],
    ['spool: { a: 1 }', 'gateway.yaml: spool is an object; it must be one folder'],
    ['port: 1\nhost: a\nport: 2', 'gateway.yaml: (the file) has a name at line 3 that is there before; leave one'],
    ['corsOrigin: x', 'gateway.yaml: corsOrigin is "x"; it must be a list of texts'],
    ['corsOrigin: [x]', 'gateway.yaml: corsOrigin.0 is "x", which no browser sends; write an origin such as https://'],
    ['dataDir: ""', 'gateway.yaml: dataDir is ""; it must be a text such as /var/lib/sluice/engines'],
    ['quiet: maybe', 'gateway.yaml: quiet is "maybe"; write one of true, 1, yes, on or false, 0, no, off'],
    [
      'maxBacklog: 4 GiB',
      'gateway.yaml: maxBacklog is "4 GiB". It must be a whole number from 1048576 to 9007199254740991.',
    ],
    ['maxBacklogAge: 2d', 'gateway.yaml: maxBacklogAge is "2d". It must be a whole number from 60000 to 864000000000.'],
    ['fsyncInterval: 2000', 'gateway.yaml: fsyncInterval is "2000". It must be a whole number from 0 to 1000.'],
    ['controller: x', 'gateway.yaml: controller is "x". It must be one of knee, windowed.'],
    ['nodes: 1', 'gateway.yaml: nodes is 1; it must be a list of objects'],
    [`nodes: ["http://u:${SECRET}@a:1"]`, 'gateway.yaml: nodes is ["http://***@a:1"]; it must be a list of objects'],
    ['nodes: [{ name: a }]', 'gateway.yaml: nodes.0.url is undefined; it must be the URL of a ClickHouse server'],
    ['nodes: [{ name: "", url: "http://a:1" }]', 'gateway.yaml: nodes.0.name is ""; it must be 1 to 64 of A-Z'],
    ['nodes: [{ name: a, url: "y:8123" }]', 'gateway.yaml: nodes.0.url is "y:8123"; it must be the URL of a'],
    [`nodes: [{ name: a, url: "http://u:${SECRET}@a:1" }]`, 'gateway.yaml: nodes.0.url holds a user or a password'],
    [`nodes: [{ name: a, url: "u:${SECRET}@a:1" }]`, 'gateway.yaml: nodes.0.url is "***@a:1"; it must be the URL'],
    [
      'nodes: [{ name: a, url: "http://a:1" }, { pasword: x }]',
      'gateway.yaml: nodes.1.pasword is no option; there are',
    ],
    ['nodes: [{ name: a, url: "http://a:1", password: "***" }]', 'gateway.yaml: nodes.0.password is masked, as it was'],
    ['tokens: [{ name: a, hash: "***" }]', 'gateway.yaml: tokens.0.hash is masked, as it was printed; put in what'],
    [`tokens: [{ name: a, token: ${SECRET}, scope: x }]`, 'gateway.yaml: tokens.0 has "scope", which it cannot have'],
    [
      `nodes: [{ name: a, url: "http://a:1?password=${SECRET}" }]`,
      'gateway.yaml: nodes.0.url has what begins with ? or #',
    ],
    ['tokens: { a: 1 }', 'gateway.yaml: tokens is an object; it must be a list of tokens'],
    ['plans: { a: { rate: 1 } }', 'gateway.yaml: plans.a has "rate", which it cannot have; there are ratePerSecond'],
    [`a: [${SECRET}\n b: {`, 'gateway.yaml: (the file) is not YAML or JSON at line'],
    [
      `tokens: [{ name: a, token: ${SECRET}, scopes: [all] }]`,
      'tokens.0.scopes.0 must be admin, operator, or owner:NAME',
    ],
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
    await expect(load('', { SLUICE_CORS_ORIGIN: 'a' })).rejects.toThrow('environment: SLUICE_CORS_ORIGIN is "a", which')
    const origins = { SLUICE_CORS_ORIGIN: 'https://a.b, http://localhost:3000' }
    expect((await load('', origins)).options.corsOrigins).toEqual(['https://a.b', 'http://localhost:3000'])
  })

  it('says what is wrong on the command line by the name of the flag', async () => {
    const flag = 'command line: --cors-origin is "https://a.b/path", which no browser sends; write an origin such as'
    await expect(load('', {}, ['--cors-origin', 'https://a.b/path'])).rejects.toThrow(`${flag} https://a.b, without`)
    await expect(load('', {}, ['--embedded', '0'])).rejects.toThrow('command line: --embedded is 0, and there are no')
  })

  it('is printed as it holds, and what is printed is taken as a file', async () => {
    const { printed } = await load('')
    for (const line of [
      ...['rate: 5 # default', 'burst: 10 # default', 'embedded: 1 # default', 'maxConcurrent: 8 # default'],
      ...['controller: knee # default', 'overdraft: 120000 # default', 'window: 10000 # default'],
      ...['minSamples: 50 # default', 'quiet: false # default', 'corsOrigin: []'],
      // Nothing holds for these.
      ...['spool: null # default', 'expectedP90: null # default', 'tokens: null # none; one is made up for each run'],
    ])
      expect(printed).toContain(line)
    const again = await load(printed)
    expect(values(again.printed)).toBe(values(printed))
    const tokens = join(folder, 'tokens.json')
    writeFileSync(tokens, JSON.stringify({ plans: { fast: { ratePerSecond: 9, burst: 9 } }, tokens: [ann] }))
    const node = 'nodes: [{ name: ch-1, url: "http://127.0.0.1:8123" }]'
    const other =
      'controller: windowed\nwindow: 500\nexpectedP90: 7.5\nspool: /srv\ncorsOrigin: ["https://a.b"]\nrate: 7'
    const first = await load(`${node}\n${other}\ntokens: ${tokens}\n`)
    expect(first.printed).toContain(`tokens: ${tokens} # file`)
    const second = await load(first.printed)
    expect(values(second.printed)).toBe(values(first.printed))
    const { tokens: who, plans } = first.options
    expect([second.options.tokens, second.options.plans]).toEqual([who, plans])
  })
})
