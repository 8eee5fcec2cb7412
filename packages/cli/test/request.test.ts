import { Readable } from 'node:stream'
import { type Answer, scriptedFetch } from '@sluice/conformance'
import { VirtualClock } from '@sluice/core/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { run } from '../src/run.js'
import type { World } from '../src/world.js'
import { memoryWorld } from './memory-world.js'

const URL_ = 'https://service.test/items'

/** Runs `sluice request` against scripted answers. */
async function request(
  args: readonly string[],
  answers: readonly Answer[] = [{ status: 200 }],
  given: Partial<World> = {},
) {
  const clock = new VirtualClock()
  const script = scriptedFetch({ answers, clock })
  const { world, stdout, stderr } = memoryWorld({
    ...{ argv: ['request', ...args], fetch: script.fetch, clock, random: () => 0.5 },
    ...given,
  })
  const code = await clock.run(run(world))
  return { code, stdout: stdout(), stderr: stderr(), sends: script.sends, clock }
}

beforeAll(() => run(memoryWorld({ argv: ['request', 'GET', 'nowhere'] }).world)) // imports it, which takes real time

describe('wrong usage is told in one sentence, and sends nothing', () => {
  test.each([
    [['GET'], 'the URL is missing: sluice request GET https://…'],
    [[], "missing required argument 'method'"],
    [[`${URL_}?token=1`], 'give the method first: sluice request GET https://…'],
    [['localhost:8080'], 'give the method first: sluice request GET https://…'],
    [['service.test'], 'give the method first: sluice request GET https://…'],
    [[URL_, 'GET'], 'give the method first: sluice request GET https://…'],
    [
      ['GET', 'service.test/items?token=1'],
      'service.test/items is no URL: it must begin with http:// or https://; did you mean http://service.test/items?',
    ],
    [
      ['GET', 'localhost:8080/x'],
      'a URL must begin with http:// or https://, not localhost:; did you mean http://localhost:8080/x?',
    ],
    [['GET', 'file:///etc/passwd'], 'a URL must begin with http:// or https://, not file:'],
    [['TRACE', URL_], 'TRACE cannot be sent: fetch forbids it'],
    [['G T', URL_], '"G T" is no HTTP method'],
    [['GET', URL_, '-d', 'x'], '--data: a GET request carries no body; use POST, PUT, PATCH or QUERY'],
    [['POST', URL_, '-d', '@no/such/file'], '--data: no/such/file cannot be read (ENOENT)'],
    [['POST', URL_, '-d', '@.'], '--data: . cannot be read (EISDIR)'],
    [['GET', URL_, '-H', 'Bad Name: x'], '-H: "Bad Name" is no header name'],
    [
      ['GET', URL_, '--timeout', '5'],
      "option '--timeout <time>' argument '5' is invalid. It must be a time such as 500ms, 5s, 1.5s or 2m, in whole milliseconds, at least 1ms.",
    ],
    [
      ['GET', URL_, '--deadline', '0s'],
      "option '--deadline <time>' argument '0s' is invalid. It must be a time such as 500ms, 5s, 1.5s or 2m, in whole milliseconds, at least 1ms.",
    ],
    [
      ['GET', URL_, '--max-attempts', '0'],
      "option '--max-attempts <n>' argument '0' is invalid. It must be a whole number of at least 1.",
    ],
    [
      ['GET', URL_, '--throttled-exit-code', '256'],
      "option '--throttled-exit-code <n>' argument '256' is invalid. It must be a whole number from 0 to 255.",
    ],
    [
      ['GET', URL_, '--preset', 'fast'],
      '--preset must be one of interactive, background, disabled, github, stripe, openai, shopify, aws-json; got fast',
    ],
    [
      ['GET', URL_, '--preset', 'github', '--policy', '{"preset":"stripe"}'],
      '--preset: the policy of --policy names a preset already; give one of the two',
    ],
    [
      ['GET', URL_, '--policy', '{"max_attempts":"4"}'],
      '--policy: max_attempts must be an integer of at least 1; got "4"',
    ],
    [
      ['GET', URL_, '--policy', '{"max_atempts":4}'],
      '--policy: there is no field max_atempts; did you mean max_attempts?',
    ],
    [
      ['GET', URL_, '--policy', '{"timeout":4}'],
      '--policy: there is no field timeout; did you mean attempt_timeout_ms?',
    ],
    [['GET', URL_, '--policy', 'no/such.json'], '--policy: no/such.json cannot be read (ENOENT)'],
    [
      ['GET', URL_, '--policy', 'package.json', '--timout', '5s'],
      "unknown option '--timout'\n(Did you mean --timeout?)",
    ],
    [
      ['POST', URL_, '-H', 'Idempotency-Key: a', '--idempotency-key', 'b'],
      '--idempotency-key: -H gives an Idempotency-Key already',
    ],
  ])('%j', async (args, message) => {
    const sends: unknown[] = []
    const fetch = async (): Promise<Response> => {
      sends.push(args)
      return new Response()
    }
    const { world, stdout, stderr } = memoryWorld({ argv: ['request', ...args], fetch })
    expect({ code: await run(world), stdout: stdout(), stderr: stderr() }).toEqual({
      ...{ code: 2, stdout: '', stderr: `Error: ${message}\n` },
    })
    const asData = memoryWorld({ argv: ['request', ...args, '--json'], fetch })
    expect(await run(asData.world)).toBe(2)
    expect(JSON.parse(asData.stderr())).toMatchObject({ code: 'usage', message })
    expect(sends).toEqual([])
  })

  test('a field of a policy that is like no other: all are named', async () => {
    const { code, stderr, sends } = await request(['GET', URL_, '--policy', '{"zz":4}'])
    expect({ code, sends }).toEqual({ code: 2, sends: [] })
    expect(stderr).toMatch(/^Error: --policy: there is no field zz; fields are preset, max_attempts, .*hints, [^:]*\n$/)
    expect(stderr).not.toMatch(/classify/)
  })

  test('a command that is misspelt', async () => {
    const { world, stderr } = memoryWorld({ argv: ['reqest'] })
    expect(await run(world)).toBe(2)
    expect(stderr()).toBe("Error: unknown command 'reqest'\n(Did you mean request?)\n")
  })

  test.each([['GET'], ['https://service.test/?token=1'], ['localhost:8080']])(
    'without a command, %s: it is named, and the URL is not',
    async (word) => {
      const { world, stderr } = memoryWorld({ argv: [word, URL_] })
      expect(await run(world)).toBe(2)
      expect(stderr()).toBe('Error: give the command first: sluice request GET https://…\n')
    },
  )

  test('the help names the arguments of each command as its own help does', async () => {
    const { world, stdout } = memoryWorld({ argv: ['--help'] })
    expect(await run(world)).toBe(0)
    expect(stdout()).toMatch(/^ {2}request \[options\] <method> <url> {2}make one/m)
  })

  test('no command at all shows the help', async () => {
    const { world, stdout, stderr } = memoryWorld({ argv: [] })
    expect(await run(world)).toBe(2)
    expect(stdout()).toBe('')
    expect(stderr()).toMatch(/^Usage: sluice/)
  })
})

describe('what is sent', () => {
  test('headers, a name given twice with both values, and no Content-Type of its own', async () => {
    const { sends } = await request([
      'POST',
      URL_,
      '-H',
      'X-A: 1',
      '-H',
      'x-a:2',
      '-H',
      'User-Agent: mine',
      '-d',
      '{"a":1}',
    ])
    expect(sends).toMatchObject([{ method: 'POST', body: '{"a":1}', headers: { 'x-a': '1, 2', 'user-agent': 'mine' } }])
    expect(sends[0]?.headers).not.toHaveProperty('content-type')
  })

  test('R2: a key of its own on a POST, the same on each attempt, makes it safe to repeat', async () => {
    const { code, sends } = await request(
      ['POST', URL_, '-d', 'x', '--idempotency-key'],
      [{ status: 503 }, { status: 200 }],
    )
    expect(code).toBe(0)
    const keys = sends.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]])
  })

  test('R2: the key that is given, on any method', async () => {
    const { sends } = await request(['PUT', URL_, '-d', 'x', '--idempotency-key', 'order-7'])
    expect(sends[0]?.headers['idempotency-key']).toBe('order-7')
  })

  test('R2: marked idempotent', async () => {
    const { code, sends } = await request(['POST', URL_, '--idempotent'], [{ status: 503 }, { status: 200 }])
    expect([code, sends.length]).toEqual([0, 2])
  })
})

describe('the policy', () => {
  test('options go over --policy, which goes over the preset', async () => {
    const args = [
      'GET',
      URL_,
      '--preset',
      'stripe',
      '--policy',
      '{"max_attempts":9,"base_ms":0}',
      '--max-attempts',
      '2',
    ]
    const { sends, stderr } = await request(args, [{ status: 409 }])
    expect([sends.length, stderr]).toEqual([2, 'Error: HTTP 409 after 2 attempts\n'])
  })

  test('background waits throttles out by time; --no-retry ends that too', async () => {
    const throttled: Answer[] = [{ status: 429, headers: { 'retry-after': '14' } }]
    expect((await request(['GET', URL_, '--preset', 'background'], throttled)).sends).toHaveLength(3)
    expect((await request(['GET', URL_, '--preset', 'background', '--no-retry'], throttled)).sends).toHaveLength(1)
  })

  test.each([
    [['--timeout', '1.5s'], 'request timed out (1 attempt)', 1500],
    [['--deadline', '2m'], 'request timed out (1 attempt)', 60_000], // the preset's own
    [['--deadline', '2m', '--timeout', '1h'], 'deadline of 120s passed (1 attempt)', 120_000],
    [['--deadline', '2m', '--idempotent', '--max-attempts', '2'], 'deadline of 120s passed (2 attempts)', 120_000],
  ])('%j', async (options, message, endedAtMs) => {
    const { code, stderr, clock } = await request(['POST', URL_, ...options], [{ failure: 'timeout' }])
    expect({ code, stderr, now: clock.now() }).toEqual({ code: 1, stderr: `Error: ${message}\n`, now: endedAtMs })
  })

  test.each(['1', 'true', 'YES', 'on'])('SLUICE_NO_RETRY=%s: one attempt', async (value) => {
    expect((await request(['GET', URL_], [{ status: 503 }], { env: { SLUICE_NO_RETRY: value } })).sends).toHaveLength(1)
  })

  test.each(['', '0', 'false', 'no', 'off'])('SLUICE_NO_RETRY=%j: retries', async (value) => {
    expect((await request(['GET', URL_], [{ status: 503 }], { env: { SLUICE_NO_RETRY: value } })).sends).toHaveLength(4)
  })
})

describe('what is shown', () => {
  test('-i: status and headers before the body', async () => {
    const { stdout } = await request(['GET', URL_, '-i'], [{ status: 201, headers: { 'x-a': '1' }, body: 'made\n' }])
    expect(stdout).toBe('HTTP 201\nx-a: 1\n\nmade\n')
  })

  test('notes are not for a terminal that reads JSON', async () => {
    const terminal = { isTTY: { stdout: true, stderr: true } }
    const { stderr } = await request(['GET', URL_, '--json'], [{ status: 503 }], terminal)
    expect(JSON.parse(stderr)).toMatchObject({ code: 'transient', attempts: 4 })
  })

  test('on a terminal the line does not stand behind the body', async () => {
    const plain = { env: { NO_COLOR: '1' } }
    const both = { ...plain, isTTY: { stdout: true, stderr: true } }
    const open = [{ status: 404, body: 'no such' }]
    const told = 'Error: HTTP 404: Not Found\n'
    expect(await request(['GET', URL_], open, both)).toMatchObject({ stdout: 'no such', stderr: `\n${told}` })
    expect((await request(['GET', URL_, '--json'], open, both)).stderr).toMatch(/^\n\{/)
    // A line that is ended, no body, and streams that do not meet.
    expect((await request(['GET', URL_], [{ status: 404, body: 'no such\n' }], both)).stderr).toBe(told)
    expect((await request(['GET', URL_, '-i'], [{ status: 404, body: '' }], both)).stderr).toBe(told)
    expect((await request(['GET', URL_], [{ status: 200, body: 'x' }], both)).stderr).toBe('')
    for (const isTTY of [
      { stdout: true, stderr: false },
      { stdout: false, stderr: true },
    ])
      expect((await request(['GET', URL_], open, { ...plain, isTTY })).stderr).toBe(told)
  })

  test('R13: a terminal is told why a body was not sent again, and what helps', async () => {
    const stdin = () => Readable.from([Buffer.from('longer than ten bytes')])
    const args = ['POST', URL_, '-d', '-', '--policy', '{"max_replay_bytes":10}', '--idempotent']
    const watched = { isTTY: { stdout: true, stderr: true }, env: { NO_COLOR: '1' } }
    const advice =
      'not sent again: the body could be sent only once; give it as a file (-d @FILE), or raise max_replay_bytes (--policy)\n'
    for (const [status, code, told] of [
      [429, 4, 'Error: rate limited; retry shortly\n'],
      [503, 1, 'Error: HTTP 503 after 1 attempt\n'],
    ] as const) {
      const answers = [{ status, body: '' }]
      expect(await request(args, answers, { ...watched, stdin: stdin() })).toMatchObject({
        ...{ code, stderr: told + advice },
      })
      expect(await request(args, answers, { stdin: stdin() })).toMatchObject({ code, stderr: told })
      const asData = await request([...args, '--json'], answers, { ...watched, stdin: stdin() })
      expect(JSON.parse(asData.stderr)).toMatchObject({ reason: 'body_not_replayable' })
    }
    // Another end of the same body: it was not that which stopped it.
    const final = await request(args, [{ status: 400, body: '' }], { ...watched, stdin: stdin() })
    expect(final.stderr).toBe('Error: HTTP 400: Bad Request\n')
  })

  test('"Error:" is red on a terminal, and nowhere else', async () => {
    const on = await request(['POST', URL_], [{ status: 503 }], { isTTY: { stdout: true, stderr: true } })
    expect(on.stderr).toBe('\u001b[31mError:\u001b[0m HTTP 503 after 1 attempt\n')
    const dumb = { isTTY: { stdout: true, stderr: true }, env: { TERM: 'dumb' } }
    expect((await request(['POST', URL_], [{ status: 503 }], dumb)).stderr).toBe('Error: HTTP 503 after 1 attempt\n')
  })

  test('--report tells a success and an interrupt in the same way', async () => {
    const ok = await request(['GET', URL_, '--report'], [{ status: 503 }, { status: 200, body: 'x' }])
    expect(JSON.parse(ok.stderr)).toEqual({
      ...{ code: 'ok', message: null, status: 200, retryAfterMs: null, attempts: 2, waitedMs: 125 },
      ...{ reason: null, failure: null, cause: null },
    })
    const controller = new AbortController()
    const clock = new VirtualClock()
    clock.timer(50, () => controller.abort(new Error('enough')))
    const { fetch } = scriptedFetch({ answers: [{ status: 429, headers: { 'retry-after': '5' } }], clock })
    const { world, stderr } = memoryWorld({
      argv: ['request', 'GET', URL_, '--report'],
      fetch,
      clock,
      random: () => 0,
      signal: controller.signal,
    })
    expect(await clock.run(run(world))).toBe(130)
    expect(JSON.parse(stderr())).toMatchObject({
      code: 'aborted',
      message: null,
      status: 429,
      attempts: 1,
      waitedMs: 50,
    })
  })

  test('every option is in the help', async () => {
    const { world, stdout } = memoryWorld({ argv: ['request', '--help'] })
    expect(await run(world)).toBe(0)
    const options =
      '-H -d -o -i --json --report --preset --policy --no-retry --max-attempts --timeout --deadline --idempotent --idempotency-key --throttled-exit-code SLUICE_NO_RETRY NO_COLOR'
    for (const option of options.split(' ')) expect(stdout()).toContain(option)
  })
})
