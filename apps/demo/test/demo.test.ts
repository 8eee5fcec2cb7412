import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { QUOTA } from '../src/service.js'
import { RunningDemo } from './running-demo.js'

describe('npm start', () => {
  let folder: string
  let temp: string
  const demos: RunningDemo[] = []
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-demo-'))
    temp = join(folder, 'tmp')
    mkdirSync(temp)
  })
  afterEach(() => {
    for (const demo of demos.splice(0)) demo.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  const start = (args: readonly string[], file?: string) => {
    const demo = new RunningDemo(args, temp, file)
    demos.push(demo)
    return demo
  }
  const expectNothingLeft = (demo: RunningDemo) => {
    expect(demo.leftBehind).toBe(false)
    expect(readdirSync(temp)).toEqual([])
  }

  it('shows that @sluice/fetch loses nothing, knocks never early and sends less, and ends', async () => {
    const demo = start(['--once', '--port', '0', '--act', 'burst'])
    expect([await demo.ended, demo.stderr]).toEqual([0, ''])
    const rowOf = (name: string) => {
      const [, calls, sends, earlyKnocks, failures, elapsed] =
        new RegExp(`^${name} +(\\d+) +(\\d+) +(\\d+) +(\\d+) +(\\d+\\.\\d) s$`, 'm').exec(demo.stdout)?.map(Number) ??
        []
      return { calls, sends, earlyKnocks, failures, elapsed }
    }
    const plain = rowOf('plain fetch')
    const naive = rowOf('naive retry loop')
    const sluice = rowOf('@sluice/fetch')
    expect(plain).toMatchObject({ calls: 20, sends: 20, earlyKnocks: 0 })
    // Five at once and five a second, exactly; on a machine that takes seconds for twenty calls more of them are answered.
    const { failures = 0, elapsed = Number.NaN } = plain
    expect(failures).toBeGreaterThanOrEqual(20 - QUOTA.burst - QUOTA.ratePerSecond * (elapsed + 0.05))
    expect(naive.calls).toBe(20)
    expect(naive.sends).toBeGreaterThan(sluice.sends ?? Number.POSITIVE_INFINITY)
    expect(naive.earlyKnocks).toBeGreaterThan(20)
    expect(sluice).toMatchObject({ calls: 20, earlyKnocks: 0, failures: 0 })
    expect(sluice.elapsed).toBeGreaterThanOrEqual(3) // less is not possible at this quota
    const prose = demo.stdout.replace(/\s+/g, ' ')
    expect(prose).toContain('The gateway counted the same sends and refusals.')
    expect(prose).toContain(
      `@sluice/fetch sent ${(sluice.sends ?? 0) - 20} repeats, none before the stated time, and got all 20 answers.`,
    )
    expect(demo.stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(demo.stdout).not.toContain('\u001b')
    expectNothingLeft(demo)
  })

  it('goes on serving what it says can be tried, and ends with 0 on Ctrl-C', async () => {
    const demo = start(['--port', '0', '--calls', '1', '--act', 'burst'])
    await demo.printed('Ctrl-C to stop.\n')
    const command = (comment: string) => new RegExp(`# ${comment}.*\n((?:  .+\n)+)`).exec(demo.stdout)?.[1] ?? 'false'
    const shell = async (script: string) =>
      (await promisify(execFile)('sh', ['-c', script])).stdout.replaceAll('\r', '')
    expect(JSON.parse(await shell(command('what there is to ask'))).pipes).toHaveLength(6)
    expect(await shell(command('one question'))).toMatch(
      /^HTTP\/1.1 200[\s\S]*ratelimit: "demo";r=\d;t=\d[\s\S]*"rows":7/i,
    )
    const loop = await shell(command('10 in a row'))
    expect(loop).toMatch(/HTTP\/1.1 200/)
    expect(loop).toMatch(/HTTP\/1.1 429[^\n]*\n(ratelimit.*\n)*retry-after: 1/i)
    const [, url = '', token] = /^ {2}(http:\S+)\/#token=(\S+)$/m.exec(demo.stdout) ?? []
    expect(await (await fetch(url)).text()).toContain('<title>Sluice console</title>')
    const surge = async (method: string) =>
      (await fetch(`${url}/demo/surge`, { method, headers: { authorization: `Bearer ${token}` } })).json()
    expect(await surge('GET')).toEqual({ state: 'idle', failure: null })
    expect(await surge('POST')).toEqual({ state: 'preparing', failure: null })
    await expect.poll(() => surge('POST'), { timeout: 20_000 }).toEqual({ state: 'calm', failure: null })
    demo.signal('SIGINT')
    demo.signal('SIGINT') // as npm does, which passes on what the terminal has sent already
    expect([await demo.ended, demo.stderr]).toEqual([0, ''])
    expectNothingLeft(demo)
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('leaves nothing behind when %s ends it in the middle: exit %i', async (signal, code) => {
    const demo = start(['--port', '0'])
    await demo.printed('all at once:')
    demo.signal(signal)
    demo.signal(signal) // as npm does, which passes on what the terminal has sent already
    expect([await demo.ended, demo.stderr]).toEqual([code, ''])
    expect(demo.stdout).not.toContain('early knocks')
    expectNothingLeft(demo)
  })

  it('leaves nothing behind when Ctrl-C ends the surge while its callers ask: exit 130', async () => {
    const record = join(folder, 'trace.ndjson')
    const demo = start(['--port', '0', '--act', 'surge', '--record', record])
    await demo.printed('before its job.')
    await expect.poll(() => readdirSync(temp).length, { timeout: 20_000 }).toBe(2) // the engine of the surge, too
    await sleep(1500)
    demo.signal('SIGINT')
    demo.signal('SIGINT')
    expect([await demo.ended, demo.stderr]).toEqual([130, ''])
    expect(demo.stdout).not.toContain('job took')
    expectNothingLeft(demo)
  })

  it('leaves nothing behind when Ctrl-C ends the ingest while events are sent: exit 130', async () => {
    const demo = start(['--port', '0', '--act', 'ingest'])
    await demo.printed('in\nplace of 60.') // said before it
    await sleep(4000)
    demo.signal('SIGINT')
    demo.signal('SIGINT')
    expect([await demo.ended, demo.stderr]).toEqual([130, ''])
    expect(demo.stdout).not.toContain('sent to seen')
    expectNothingLeft(demo)
  })

  it('leaves nothing behind when it is ended before the gateway answers', async () => {
    const demo = start(['--port', '0'])
    const engines = () => readdirSync(temp, { recursive: true }).filter((name) => String(name).endsWith('engines'))
    await expect.poll(engines, { timeout: 10_000 }).toHaveLength(1) // the engine is being started
    demo.signal('SIGINT')
    expect([await demo.ended, demo.stdout, demo.stderr]).toEqual([130, '', ''])
    expectNothingLeft(demo)
  })

  it('says in one line that the port is busy, and takes another', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo // bound to a port
    const demo = start(['--once', '--calls', '1', '--act', 'burst', '--port', String(port)])
    expect(await demo.ended).toBe(0)
    taken.close()
    const other = /A gateway on http:\/\/127\.0\.0\.1:(\d+)/.exec(demo.stdout)?.[1]
    expect(Number(other)).not.toBe(port)
    expect(demo.stderr).toBe(`Port ${port} is in use by another process; the gateway listens on ${other} instead.\n`)
  })

  it.each([
    [
      ['--port', '70000'],
      "option '--port <number>' argument '70000' is invalid. It must be a whole number from 0 to 65535.",
    ],
    [['--calls', '0'], "option '--calls <number>' argument '0' is invalid. It must be a whole number from 1 to 200."],
    [
      ['--act', 'second'],
      "option '--act <name>' argument 'second' is invalid. Allowed choices are burst, surge, ingest, all.",
    ],
    [['--act', 'burst', '--record', 'trace.ndjson'], 'error: --record goes with the surge'],
    [['--compare'], 'error: --compare goes with --act surge'],
    [['--record', '/no/such/folder/trace'], 'error: --record /no/such/folder/trace: cannot be written (ENOENT)'],
    [['--onse'], "unknown option '--onse'"],
    [['twice'], 'too many arguments'],
  ])('refuses %j: exit 2', async (args, message) => {
    const demo = start(args)
    expect([await demo.ended, demo.stdout]).toEqual([2, ''])
    expect(demo.stderr).toContain(message)
  })

  it('explains itself: exit 0', async () => {
    const demo = start(['--help'])
    expect(await demo.ended).toBe(0)
    for (const flag of ['--port', '--act', '--record', '--calls', '--background', '--once'])
      expect(demo.stdout).toContain(flag)
    expect(demo.stdout).toMatch(/Exit codes:\n +0 {2}.*\n +1 {2}.*\n +2 {2}.*\n +3 {2}.*\n +130 {2}.*\n +143 {2}/)
    expect(demo.stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('passes on what the gateway says where the engine is not installed: exit 3', async () => {
    const demo = start(['--once', '--port', '0'], demoWithoutEngine(folder))
    expect([await demo.ended, demo.stdout]).toEqual([3, ''])
    expect(demo.stderr).toMatch(/^The embedded engine \(chdb, .*run `pnpm install`.*\n$/)
    expectNothingLeft(demo)
  })
})

/** The same build, beside a gateway that has every dependency but chdb. @returns its entry */
function demoWithoutEngine(folder: string): string {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const copy = join(folder, 'without-engine')
  const gateway = join(copy, 'node_modules', '@sluice', 'gateway')
  copyPackage(root, copy, (name) => name !== '@sluice/gateway')
  copyPackage(join(root, 'node_modules', '@sluice', 'gateway'), gateway, () => true)
  return join(copy, 'dist', 'main.js')
}

function copyPackage(from: string, to: string, linked: (name: string) => boolean): void {
  for (const part of ['dist', 'package.json']) cpSync(join(from, part), join(to, part), { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies).filter(linked)) {
    const link = join(to, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(from, 'node_modules', name), link)
  }
}
