import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BIN, sluice, start } from './child.js'
import { serve } from './server.js'

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'sluice-cli-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

const throttled = (seconds: number) =>
  serve((_, response) => response.writeHead(429, { 'retry-after': String(seconds) }).end('slow down'))

describe('S1: exit codes and streams', () => {
  test('a success: its body on stdout, nothing on stderr, 0', async () => {
    const { url, received } = await serve((_, response) => response.end('hello\n'))
    expect(await sluice(['request', 'GET', url])).toMatchObject({ code: 0, stdout: 'hello\n', stderr: '' })
    expect(received[0]?.headers['user-agent']).toMatch(/^sluice\/\d/)
  })

  test('a throttle at the end: nothing on stdout, 4, or what was asked for', async () => {
    const { url } = await throttled(3600)
    const stderr = 'Error: rate limited; server asked to retry in 3600s\n'
    expect(await sluice(['request', 'POST', url])).toMatchObject({ code: 4, stdout: '', stderr })
    const remapped = await sluice(['request', 'POST', url, '--throttled-exit-code', '75'])
    expect(remapped).toMatchObject({ code: 75, stdout: '', stderr })
  })

  test('a final status: its body on stdout, a sentence on stderr, 1', async () => {
    const { url } = await serve((_, response) => response.writeHead(410).end('was here\n'))
    expect(await sluice(['request', 'GET', url])).toMatchObject({
      ...{ code: 1, stdout: 'was here\n', stderr: 'Error: HTTP 410: Gone\n' },
    })
  })

  test('nobody listens: 1, with the code of the platform', async () => {
    const { url, close } = await serve(() => {})
    await close()
    const stderr = 'Error: connection failed (ECONNREFUSED) after 1 attempt\n'
    expect(await sluice(['request', 'POST', url])).toMatchObject({ code: 1, stdout: '', stderr })
  })

  test.each([
    ['chunked', {}],
    ['with a length', { 'content-length': '100' }],
  ])('an answer that breaks off in its body, %s: 1, and how much of it came', async (_, headers) => {
    let breakOff = (): void => {}
    const { url, received } = await serve((_nth, response) => {
      breakOff = () => void response.destroy()
      response.writeHead(200, headers).write('hello')
    })
    /** Breaks it off once what came has been shown: a stream that fails drops what nobody has read yet. */
    const brokenOff = (...more: string[]) => {
      const child = start(process.execPath, [BIN, 'request', 'GET', url, ...more])
      child.process.stdout?.on('data', (text: string) => text.endsWith('hello') && breakOff())
      return child.ended
    }
    const message = 'the answer broke off after 5 bytes (UND_ERR_SOCKET)'
    expect(await brokenOff()).toMatchObject({ code: 1, stdout: 'hello', stderr: `Error: ${message}\n` })
    const asData = await brokenOff('--json', '-i') // the head is no part of it
    expect(asData.code).toBe(1)
    expect(JSON.parse(asData.stderr)).toMatchObject({
      ...{ code: 'connect', message, status: 200, failure: 'connect', cause: 'UND_ERR_SOCKET' },
    })
    expect(received).toHaveLength(2) // what was shown cannot be taken back: it is not sent again
  })

  test('R10: an answer that stalls: 1, and how much of it came', async () => {
    const { url } = await serve((_, response) => void response.write('a'))
    const { code, stdout, stderr } = await sluice(['request', 'GET', url, '--policy', '{"body_idle_ms":200}'])
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 1, stdout: 'a', stderr: 'Error: the answer broke off after 1 byte (nothing more came)\n' },
    })
  })

  test('wrong usage: 2', async () => {
    expect(await sluice(['request', 'GET', 'ftp://somewhere'])).toMatchObject({
      ...{ code: 2, stdout: '', stderr: 'Error: a URL must begin with http:// or https://, not ftp:\n' },
    })
  })

  test.each([
    ['before the subcommand', ['--no-retry', 'request'], [], {}],
    ['after it', ['request'], ['--no-retry'], {}],
    ['by the environment', ['request'], [], { SLUICE_NO_RETRY: 'yes' }],
  ])('no retry, %s: one send', async (_, before, after, env) => {
    const { url, received } = await throttled(0)
    expect(await sluice([...before, 'GET', url, ...after], { env })).toMatchObject({ code: 4 })
    expect(received).toHaveLength(1)
  })
})

describe('an interrupt', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s in a wait ends it at once with %i, without a word', async (signal, code) => {
    const { url, received, arrived } = await throttled(5)
    const child = start(process.execPath, [BIN, 'request', 'GET', url])
    await arrived(1)
    await new Promise((resolve) => setTimeout(resolve, 100)) // its answer is read, and the wait has begun
    const sent = performance.now()
    child.process.kill(signal)
    expect(await child.ended).toMatchObject({ code, stdout: '', stderr: '' })
    expect(performance.now() - sent).toBeLessThan(1000)
    expect(received).toHaveLength(1)
  })

  test('while a body comes in leaves no file', async () => {
    const { url, arrived } = await serve((_, response) => response.write('the first half'))
    const into = folder()
    const child = start(process.execPath, [BIN, 'request', 'GET', url, '-o', join(into, 'whole')])
    await arrived(1)
    while (readdirSync(into).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    child.process.kill('SIGINT')
    expect(await child.ended).toMatchObject({ code: 130, stderr: '' })
    expect(readdirSync(into)).toEqual([])
  })

  test('while stdin is waited for', async () => {
    const child = start(process.execPath, [BIN, 'request', 'POST', 'http://127.0.0.1:1/', '--data', '-'])
    await new Promise((resolve) => setTimeout(resolve, 500))
    child.process.kill('SIGINT')
    expect(await child.ended).toMatchObject({ code: 130, stderr: '' })
  })
})

test('a reader that has seen enough ends it quietly', async () => {
  const line = `${'x'.repeat(99)}\n`
  const { url } = await serve((_, response) => response.end(line.repeat(100_000)))
  const command = `set -o pipefail; '${process.execPath}' '${BIN}' request GET ${url} | head -n 1`
  expect(await start('bash', ['--norc', '-c', command]).ended).toMatchObject({ code: 0, stdout: line, stderr: '' })
})

describe('-o', () => {
  test('gives the file its name when it is whole, with the mode it had, behind the link that leads to it', async () => {
    const body = 'y'.repeat(300_000)
    const { url } = await serve((_, response) => response.end(body))
    const into = folder()
    writeFileSync(join(into, 'real'), 'old', { mode: 0o640 })
    symlinkSync('real', join(into, 'link'))
    expect(await sluice(['request', 'GET', url, '-o', join(into, 'link')])).toMatchObject({ code: 0, stdout: '' })
    expect(readdirSync(into).sort()).toEqual(['link', 'real'])
    expect(readFileSync(join(into, 'real'), 'utf8')).toBe(body)
    expect(statSync(join(into, 'real')).mode & 0o777).toBe(0o640)
  })

  test('leaves what was there where the answer breaks off', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.destroy())
    })
    const into = folder()
    writeFileSync(join(into, 'file'), 'old')
    const ended = await sluice(['request', 'GET', url, '-o', join(into, 'file')])
    expect(ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Error: the answer broke off after [04] bytes \(UND_ERR_SOCKET\)\n$/),
    })
    expect(readdirSync(into)).toEqual(['file'])
    expect(readFileSync(join(into, 'file'), 'utf8')).toBe('old')
  })

  test('is for successes: an error page goes to stdout, a throttle nowhere', async () => {
    const { url } = await serve((nth, response) => response.writeHead(nth === 1 ? 404 : 429).end('sorry'))
    const into = folder()
    const args = ['request', 'GET', url, '-o', join(into, 'file'), '--no-retry']
    expect(await sluice(args)).toMatchObject({ code: 1, stdout: 'sorry' })
    expect(await sluice(args)).toMatchObject({ code: 4, stdout: '' })
    expect(readdirSync(into)).toEqual([])
  })

  test('that cannot be written is told before anything is sent', async () => {
    const { url, received } = await serve((_, response) => response.end())
    const into = folder()
    expect(await sluice(['request', 'POST', url, '-o', into])).toMatchObject({
      code: 2,
      stderr: `Error: -o: ${into} is a folder; name a file in it\n`,
    })
    expect(await sluice(['request', 'POST', url, '-o', join(into, 'no', 'file')])).toMatchObject({
      code: 2,
      stderr: `Error: -o: nothing can be written in ${join(into, 'no')} (ENOENT)\n`,
    })
    expect(received).toEqual([])
  })

  test('into a device writes to it, and does not replace it', async () => {
    const { url } = await serve((_, response) => response.end('gone'))
    expect(await sluice(['request', 'GET', url, '-o', '/dev/null'])).toMatchObject({ code: 0, stdout: '' })
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  })
})

describe('R13: a body', () => {
  const onceThrottled = () =>
    serve((nth, response) =>
      nth === 1 ? response.writeHead(429, { 'retry-after': '0' }).end() : response.end('taken\n'),
    )

  test('from a short stdin has a length, and is sent again', async () => {
    const { url, received } = await onceThrottled()
    expect(await sluice(['request', 'POST', url, '-d', '-'], { input: 'short' })).toMatchObject({
      code: 0,
      stdout: 'taken\n',
    })
    expect(received.map(({ body, headers }) => [body, headers['content-length']])).toEqual([
      ['short', '5'],
      ['short', '5'],
    ])
    expect(received[0]?.headers['content-type']).toBeUndefined()
  })

  test('from a long stdin is streamed, and sent once', async () => {
    const { url, received } = await onceThrottled()
    const input = Buffer.alloc(3_000_000, 'z')
    expect(await sluice(['request', 'POST', url, '-d', '-', '--report'], { input })).toMatchObject({ code: 4 })
    expect(received.map(({ body, headers }) => [body.length, headers['transfer-encoding']])).toEqual([
      [3_000_000, 'chunked'],
    ])
  })

  test('from a file is streamed from it anew for each attempt', async () => {
    const { url, received } = await onceThrottled()
    const file = join(folder(), 'upload')
    writeFileSync(file, Buffer.alloc(5_000_000, 'f'))
    expect(await sluice(['request', 'POST', url, '-d', `@${file}`])).toMatchObject({ code: 0, stdout: 'taken\n' })
    expect(received.map(({ body, headers }) => [body.length, headers['content-length']])).toEqual([
      [5_000_000, '5000000'],
      [5_000_000, '5000000'],
    ])
  })

  test('from a pipe that is named like a file is read too', async () => {
    const { url, received } = await serve((_, response) => response.end())
    const command = `'${process.execPath}' '${BIN}' request PUT ${url} -d @<(printf piped)`
    expect(await start('bash', ['--norc', '-c', command]).ended).toMatchObject({ code: 0, stderr: '' })
    expect(received[0]?.body).toBe('piped')
  })
})

// util-linux's `script` gives a program a terminal; what other systems call so takes other arguments.
const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false

describe('on a terminal', () => {
  const once = () =>
    serve((nth, response) =>
      nth === 1 ? response.writeHead(429, { 'retry-after': '1' }).end() : response.end('done\n'),
    )
  const args = (url: string): string[] => ['request', 'GET', url, '--policy', '{"stated_jitter_ms":0}']
  const inTerminal = (command: string, env: Record<string, string>) =>
    start('script', ['-qec', command, '/dev/null'], env).ended

  test('each wait has a line; dim, or plain with NO_COLOR', async (context) => {
    if (!hasTerminal && !process.env.CI) context.skip('util-linux script not found')
    expect(hasTerminal).toBe(true)
    for (const [env, note] of [
      [{ TERM: 'xterm' }, '\u001b[2mrate limited; retrying in 1s (attempt 2)\u001b[0m'],
      [{ TERM: 'xterm', NO_COLOR: '1' }, 'rate limited; retrying in 1s (attempt 2)'],
    ] as const) {
      const { url } = await once()
      const command = [process.execPath, BIN, ...args(url)].map((word) => `'${word}'`).join(' ')
      const { code, stdout } = await inTerminal(command, env)
      expect({ code, stdout }).toEqual({ code: 0, stdout: `${note}\r\ndone\r\n` })
    }
  })

  test('elsewhere nothing is said', async () => {
    const { url } = await once()
    expect(await sluice(args(url))).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' })
  })
})

describe('secrets', () => {
  const secret = 'Bearer hunter2'

  test('a redirect to another origin does not carry them', async () => {
    const other = await serve((_, response) => response.end('there\n'))
    const { url, received } = await serve((_, response) => response.writeHead(302, { location: other.url }).end())
    expect(await sluice(['request', 'GET', url, '-H', `Authorization: ${secret}`])).toMatchObject({
      code: 0,
      stdout: 'there\n',
    })
    expect(received[0]?.headers.authorization).toBe(secret)
    expect(other.received[0]?.headers.authorization).toBeUndefined()
  })

  test.each([
    ['a failed connection', ['GET', 'http://127.0.0.1:1/?token=hunter2']],
    ['a malformed header', ['GET', 'http://127.0.0.1:1/', '-H', 'X-Key: hunter2\u0000']],
    ['a header without a colon', ['GET', 'http://127.0.0.1:1/', '-H', 'Authorization Bearer hunter2']],
    ['a URL that is none', ['GET', 'api.example.com/?token=hunter2']],
    ['a URL with a password', ['GET', 'https://ann:hunter2@api.example.com/']],
    ['a key that no header can carry', ['POST', 'http://127.0.0.1:1/', '--idempotency-key=hunter2\n']],
  ])('%s shows none', async (_, args) => {
    for (const more of [[], ['--json']]) {
      // A NUL cannot be part of a process's arguments: written as text that is no header value either.
      const { code, stdout, stderr } = await sluice([
        'request',
        ...args.map((one) => one.replace('\u0000', '\u0007')),
        '-H',
        `Authorization: ${secret}`,
        ...more,
      ])
      expect(code).not.toBe(0)
      expect(stderr).not.toBe('')
      expect(stdout + stderr).not.toContain('hunter2')
    }
  })
})

test('the version', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(await sluice(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
})
