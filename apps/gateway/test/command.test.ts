import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isAlive, SECRET, until } from './running-gateway.js'

const bin = fileURLToPath(new URL('../bin/sluice-gateway.js', import.meta.url))

/** The command as a user runs it. */
class Run {
  stdout = ''
  stderr = ''
  readonly child: ChildProcess
  readonly ended: Promise<number | null>

  constructor(args: readonly string[], env: NodeJS.ProcessEnv, file: string = bin) {
    this.child = spawn(process.execPath, [file, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout?.on('data', (chunk) => {
      this.stdout += chunk
    })
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += chunk
    })
    this.ended = once(this.child, 'close').then(([code]) => code)
  }

  async url(): Promise<string> {
    await until('the address is printed', () => this.stdout.includes('answers on http') && this.stdout.endsWith('\n'))
    return /http:\/\/\S+/.exec(this.stdout)?.[0] ?? ''
  }

  enginePid(): number {
    return Number(/engine ready pid=(\d+)/.exec(this.stderr)?.[1])
  }
}

describe('the command sluice-gateway', () => {
  let folder: string
  let temp: string
  let tokensFile: string
  const runs: Run[] = []
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-command-'))
    temp = join(folder, 'tmp')
    mkdirSync(temp)
    tokensFile = join(folder, 'tokens.json')
    writeFileSync(
      tokensFile,
      JSON.stringify({
        plans: { slow: { ratePerSecond: 1, burst: 1 } },
        tokens: [{ name: 'ann', token: SECRET, plan: 'slow' }],
      }),
    )
  })
  afterEach(() => {
    for (const it of runs.splice(0)) it.child.kill('SIGKILL')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}, file = bin) => {
    const it = new Run(args, { TMPDIR: temp, ...env }, file)
    runs.push(it)
    return it
  }
  const ask = (url: string, token: string) =>
    fetch(`${url}/v1/pipes`, { headers: { authorization: `Bearer ${token}` } })

  it('makes a token of its own, prints it once, and ends cleanly on SIGTERM', async () => {
    writeFileSync(join(folder, 'index.html'), '<!doctype html>')
    const it = start(['--port', '0', '--rate', '7', '--burst', '9', '--console', folder])
    const url = await it.url()
    await until('the token is printed', () => it.stdout.includes('Token'))
    const token = /Token.*: (\S+)/.exec(it.stdout)?.[1] ?? ''
    expect(token).toMatch(/^[\w-]{32}$/)
    expect(it.stdout).toContain(`Its console, for a browser: ${url}/\n`)
    expect(await (await fetch(url)).text()).toBe('<!doctype html>')
    const response = await ask(url, token)
    expect([response.status, response.headers.get('ratelimit-policy')]).toEqual([200, '"default";q=9;w=2'])
    const pid = it.enginePid()
    it.child.kill('SIGTERM')
    expect(await it.ended).toBe(0)
    expect(it.stderr).not.toContain(token)
    expect(it.stdout.split(token)).toHaveLength(2)
    expect(isAlive(pid)).toBe(false)
    expect(readdirSync(temp)).toEqual([])
  })

  it('takes tokens from a file, and ends its engine even when it is killed itself', async () => {
    const it = start(['--port', '0'], { SLUICE_TOKENS_FILE: tokensFile })
    const url = await it.url()
    const response = await ask(url, SECRET)
    expect([response.status, response.headers.get('ratelimit')]).toEqual([200, '"slow";r=0;t=1'])
    expect(it.stdout + it.stderr).not.toContain(SECRET)
    const pid = it.enginePid()
    expect(isAlive(pid)).toBe(true)
    // Who reads its log leaves: it goes on.
    it.child.stdout?.destroy()
    it.child.stderr?.destroy()
    for (let i = 0; i < 3; i++) expect((await ask(url, SECRET)).status).toBe(429)
    it.child.kill('SIGKILL')
    await until('the engine has followed', () => !isAlive(pid))
    expect(readdirSync(temp)).toEqual([])
  })

  it('ends well where nobody reads its help', async () => {
    const it = start(['--help'])
    it.child.stdout?.destroy()
    expect([await it.ended, it.stderr]).toEqual([0, ''])
  })

  it('says in one line that a port is taken: exit 1', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo // bound to a port
    const it = start(['--port', String(port), '--tokens', tokensFile])
    expect(await it.ended).toBe(1)
    expect(it.stderr).toBe(
      `Port ${port} on 127.0.0.1 is in use by another process. Choose another port, or 0 for any free one.\n`,
    )
    taken.close()
  })

  it.each([
    [
      'no-such-host.invalid',
      /^Cannot listen on host no-such-host\.invalid, port 0 \(\w+\): .*\. Name an address of this/,
    ],
    [
      '192.0.2.1',
      'Cannot listen on host 192.0.2.1, port 0 (EADDRNOTAVAIL): it is no address of this machine. Name one',
    ],
  ])('says in one line that it cannot listen on %s, and what to do: exit 1', async (host, message) => {
    const it = start(['--port', '0', '--host', host, '--tokens', tokensFile])
    expect(await it.ended).toBe(1)
    expect(it.stderr).toMatch(message)
    expect(it.stderr.trim().split('\n')).toHaveLength(1)
  })

  it('is quiet of requests alone', async () => {
    const it = start(['--port', '0', '--tokens', tokensFile, '--quiet'])
    const url = await it.url()
    await ask(url, SECRET)
    process.kill(it.enginePid(), 'SIGKILL')
    await until('that its engine is gone is told', () => /(warn|error) engine /.test(it.stderr))
    it.child.kill('SIGTERM')
    expect(await it.ended).toBe(0)
    expect(it.stderr).not.toContain(' request ')
  })

  it.each([
    ['an unknown flag', ['--prot', '1'], "error: unknown option '--prot'"],
    [
      'a bad port',
      ['--port', '99999'],
      "error: option '--port <number>' argument '99999' is invalid. It must be a whole number",
    ],
    ['a bad window', ['--window', '10s'], 'It must be a whole number from 1 to 86400000'],
    ['a bad p90', ['--expected-p90', '-1'], 'It must be a number above 0'],
    ['too many at once', ['--max-concurrent', '0'], 'It must be a whole number from 1 to 256'],
    ['too few samples', ['--min-samples', '0'], 'It must be a whole number from 1 to 1000000'],
    [
      'a file that cannot be',
      ['--port', '0', '--record', '/no/such/trace'],
      '/no/such/trace cannot be written (ENOENT)',
    ],
    ['a bad rate', ['--rate', '0'], 'It must be a number above 0'],
    [
      'a spool that is no folder',
      ['--port', '0', '--spool', bin],
      `command line: --spool ${bin} cannot be used (EEXIST: file already exists, mkdir '${bin}'); what is there is no folder`,
    ],
    ['too little for all', ['--max-backlog', '1MB'], 'It must be a whole number from 1048576 to 9007199254740991'],
    [
      'a missing file',
      ['--tokens', 'nowhere.json'],
      'nowhere.json: (the file) cannot be read (ENOENT); name one that can',
    ],
  ])('says what is wrong with %s: exit 2', async (_, args, message) => {
    const it = start(args)
    expect(await it.ended).toBe(2)
    expect(it.stderr).toContain(message)
    expect(it.stderr.trim().split('\n').length).toBeLessThanOrEqual(2)
  })

  it('says in one line which file of its own has another form, where, and what to do: exit 2', async () => {
    const spool = join(folder, 'edited')
    mkdirSync(join(spool, 'pipeline'), { recursive: true })
    const file = join(spool, 'pipeline', 'edited.json')
    writeFileSync(file, '{"tenant":"acme","pipeline":{"guard":null,"paused":["clicks"]}}')
    const it = start(['--port', '0', '--spool', spool])
    expect(await it.ended).toBe(2)
    expect(it.stderr).toBe(
      `${file}: pipeline.guard must be an object; mend it, put a copy of the file there, or take it away\n`,
    )
  })

  it('tells at its start how it limits, and takes the kill switch from its environment', async () => {
    const trace = join(folder, 'trace.ndjson')
    const flags = ['--port', '0', '--max-concurrent', '12', '--window', '1000', '--expected-p90', '7.5']
    const more = ['--min-samples', '20', '--controller', 'windowed', '--overdraft', '30000', '--record', trace]
    const it = start([...flags, ...more], { SLUICE_LATENCY_BACKOFF: 'off' })
    await it.url()
    expect(JSON.parse(readFileSync(trace, 'utf8')).trace).toMatchObject({
      ...{ version: 1, max_concurrent: 12, window_ms: 1000, min_samples: 20, expected_p90_ms: 7.5 },
      ...{ latency_control: false, controller: 'windowed', overdraft_ms: 30_000, backoff_ratio: 1.4 },
    })
    expect(it.stderr).toContain(
      'info adaptive limit node=clickhouse-1 controller=windowed maxConcurrent=12 windowMs=1000 expectedP90Ms=7.5 latencyBackoff=false\n',
    )
  })

  it('does not guess what a kill switch means: exit 2', async () => {
    const it = start(['--port', '0'], { SLUICE_LATENCY_BACKOFF: 'nope' })
    expect(await it.ended).toBe(2)
    expect(it.stderr).toMatch(
      /^environment: SLUICE_LATENCY_BACKOFF is "nope"; write one of false, 0, no, off to switch/,
    )
    expect(it.stderr.trim().split('\n')).toHaveLength(1)
  })

  it('does not repeat the text of a tokens file that is not JSON: exit 2', async () => {
    const broken = join(folder, 'broken.json')
    writeFileSync(broken, `{ "tokens": [ ${SECRET} ] }`)
    const it = start(['--tokens', broken])
    expect(await it.ended).toBe(2)
    expect(it.stderr).toContain('broken.json: (the file) is not JSON')
    expect(it.stderr).not.toContain(SECRET)
  })

  it('makes a token that nothing keeps, whose entry opens what it says: exit 0', async () => {
    const made = start(['token', '--name', 'sender', '--tenant', 'acme', '--scope', 'write:clicks', 'read:*', '--json'])
    expect(await made.ended).toBe(0)
    const { secret, entry } = JSON.parse(made.stdout)
    expect(entry).toEqual({
      ...{ name: 'sender', tenant: 'acme', scopes: ['write:clicks', 'read:*'] },
      hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    })
    const file = join(folder, 'made.json')
    writeFileSync(file, JSON.stringify({ tokens: [entry] }))
    const it = start(['--port', '0', '--tokens', file, '--spool', join(folder, 'spool')])
    const url = await it.url()
    expect((await ask(url, secret)).status).toBe(200)
    const put = await fetch(`${url}/v1/datasources/clicks`, {
      ...{ method: 'PUT', body: '{}' },
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    })
    expect([put.status, (await put.json()).detail]).toEqual([
      403,
      'This needs the scope admin; the token has write:clicks, read:*. Ask an administrator for it.',
    ])
    it.child.kill('SIGTERM')
    expect(await it.ended).toBe(0)
    expect(it.stdout + it.stderr).not.toContain(secret)
    const human = start(['token', '--name', 'x'])
    expect(await human.ended).toBe(0)
    expect(human.stdout).toMatch(
      /^Token, shown only here: [\w-]{32}\n.*\n\{"name":"x","hash":"sha256:[0-9a-f]{64}"\}\n$/,
    )
  })

  it('prints what holds and where it is from, without secrets, and starts nothing: exit 0', async () => {
    const file = join(folder, 'gateway.yaml')
    const server = "{ name: ch-1, url: 'http://127.0.0.1:8123', user: sluice, password: geheim }"
    writeFileSync(
      file,
      `port: 1\nwindow: 5000\nspool: /srv/spool\nquiet: on\nnodes: [${server}]\ntokens: [{ name: ann, token: ${SECRET} }]\n`,
    )
    const environment = {
      SLUICE_CONFIG: file,
      SLUICE_PORT: '2',
      SLUICE_SHEDDING: 'off',
      SLUICE_CORS_ORIGIN: 'https://a.b, https://c.d',
      SLUICE_FSYNC_INTERVAL: '0',
    }
    const it = start(['--print-config', '--window', '3000'], environment)
    expect(await it.ended).toBe(0)
    for (const line of [
      ...[
        'port: 2 # environment',
        'window: 3000 # command line',
        'spool: /srv/spool # file',
        'host: 127.0.0.1 # default',
      ],
      ...['maxBacklog: 4294967296 # default', 'maxBacklogAge: 172800000 # default', 'fsyncInterval: 0 # environment'],
      ...[
        'shedding: false # environment',
        '# environment\ncorsOrigin:\n  - https://a.b\n  - https://c.d',
        'quiet: true # file',
      ],
      ...['    user: sluice\n    password: "***"', '  - name: ann\n    hash: "***"'],
    ])
      expect(it.stdout).toContain(line)
    expect(it.stdout + it.stderr).not.toMatch(new RegExp(`geheim|${SECRET}`))
  })

  it('explains itself: exit 0', async () => {
    const it = start(['--help'])
    expect(await it.ended).toBe(0)
    expect(it.stdout).toMatch(/--tokens <file>[\s\S]*Exit codes: 0 closed, 1/)
  })

  it('says what to do where the engine is not installed: exit 3', async () => {
    // The same build, beside every dependency but chdb.
    const copy = join(folder, 'without-chdb')
    const root = dirname(dirname(bin))
    cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
    cpSync(join(root, 'bin'), join(copy, 'bin'), { recursive: true })
    cpSync(join(root, 'package.json'), join(copy, 'package.json'))
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const name of Object.keys(dependencies)) {
      const link = join(copy, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), link)
    }
    const own = join(folder, 'own-tmp') // in the other, engines of gateways that were killed may still remove theirs
    mkdirSync(own)
    const it = start(['--port', '0'], { TMPDIR: own }, join(copy, 'bin', 'sluice-gateway.js'))
    expect(await it.ended).toBe(3)
    expect(it.stderr).toMatch(
      /^The embedded engine \(chdb, an optional dependency, Linux and macOS only\) cannot be loaded/,
    )
    expect(it.stderr).toContain('run `pnpm install` where it can fetch optional dependencies')
    expect(it.stderr.trim().split('\n')).toHaveLength(1)
    expect(readdirSync(own)).toEqual([])
  })
})
