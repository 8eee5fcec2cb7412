import { describe, expect, it } from 'vitest'
import type {
  CallScenario,
  CaseResult,
  RetryCase,
  RetryExpectation,
  ScenarioExpectation,
  Subject,
} from '../src/index.js'
import { formatMismatch, runCase, runTable } from '../src/index.js'
import { send, sendsAfter } from './small-subject.js'
import { testClock } from './test-clock.js'

const POLICY = { max_attempts: 4, base_ms: 250, per_attempt_cap_ms: 10_000, total_cap_ms: 30_000 }
const HEAD = { rule: 'R1', level: 'must', needs: [], name: 'a sentence' } as const
const ROW: Omit<RetryCase, 'expect'> = {
  ...HEAD,
  id: 'retry-cases/one',
  failure: 'status:429',
  method: 'GET',
  retry_after: '2',
  attempt: 1,
}

const retryRow = (expect: RetryExpectation, row: Partial<RetryCase> = {}): RetryCase => ({ ...ROW, ...row, expect })
const replay = (row: RetryCase, subject: Subject): Promise<CaseResult> =>
  runCase({ suite: 'retry-cases', policy: POLICY, row }, subject, testClock)
const play = (row: Partial<CallScenario>, expect: ScenarioExpectation, subject: Subject): Promise<CaseResult> => {
  const scenario = { ...HEAD, id: 'call-scenarios/one', answers: [{ status: 200 }], ...row, expect }
  return runCase({ suite: 'call-scenarios', policy: POLICY, row: scenario }, subject, testClock)
}

describe('a retry case through a call', () => {
  const waits2s = retryRow({ retry: true, wait_ms_min: 2000, wait_ms_max: 2000 })
  const givesUp = retryRow(
    { retry: false, fail_fast: true, reason: 'wait_over_cap', retry_after_ms: 60_000 },
    { retry_after: '60' },
  )

  it('passes where sends and slept time agree, with every draw', async () => {
    const result = await replay(waits2s, sendsAfter([2000]))
    expect(result).toMatchObject({ verdict: 'passed', mismatches: [], scope: 'call', sends: 6 })
  })

  it('brings a call to its attempt by 429s that ask for no wait', async () => {
    const third = { ...waits2s, attempt: 3 }
    expect(await replay(third, sendsAfter([0, 0, 2000]))).toMatchObject({ verdict: 'passed' })
    const { mismatches } = await replay(third, sendsAfter([0, 5, 2000]))
    expect(mismatches).toEqual([{ field: 'wait 2, after a 429 that asks for 0 ms', expected: 0, actual: 5 }])
  })

  it('catches a send too few and one too many', async () => {
    const few = await replay(waits2s, sendsAfter([]))
    expect(few.mismatches[0]).toEqual({ field: 'sends', expected: 2, actual: 1 })
    const many = await replay(waits2s, sendsAfter([2000, 2000]))
    expect(many.mismatches).toEqual([{ field: 'sends', expected: 2, actual: 3 }])
  })

  it('catches a wait that is too early, and one outside its bounds', async () => {
    const early = await replay(waits2s, sendsAfter([1999]))
    expect(early.mismatches).toEqual([{ field: 'wait_ms', expected: 2000, actual: 1999 }])
    const bounds = retryRow({ retry: true, wait_ms_min: 0, wait_ms_max: 249 }, { retry_after: null })
    expect(await replay(bounds, sendsAfter([249]))).toMatchObject({ verdict: 'passed' })
    const late = await replay(bounds, sendsAfter([250]))
    expect(late.mismatches).toEqual([{ field: 'wait_ms', expected: '0 to 249', actual: 250 }])
  })

  it('measures sends and waits itself, and tells where the subject says otherwise', async () => {
    const { mismatches } = await replay(waits2s, sendsAfter([2000], { attempts: 1, waited_ms: 0 }))
    expect(mismatches).toEqual([
      { field: 'attempts', expected: 2, actual: 1 },
      { field: 'waited_ms, as told by the call', expected: 2000, actual: 0 },
    ])
  })

  it('tries 0, 0.5 and 1 − 2^−53 where the row has no draw, and names the one that differed', async () => {
    const draws: number[] = []
    const drawing: Subject = {
      call(call) {
        const draw = call.random()
        draws.push(draw)
        return sendsAfter([draw < 0.9 ? 2000 : 2001]).call(call)
      },
    }
    const result = await replay(waits2s, drawing)
    expect(draws).toEqual([0, 0.5, 1 - 2 ** -53])
    expect(result).toMatchObject({ verdict: 'failed', draw: 1 - 2 ** -53 })
  })

  it('takes the row’s own draw, and then only that one', async () => {
    const drawing: Subject = { call: (call) => sendsAfter([call.random() * 100]).call(call) }
    const row = retryRow({ retry: true, wait_ms_min: 25, wait_ms_max: 25 }, { random: 0.25 })
    expect(await replay(row, drawing)).toMatchObject({ verdict: 'passed', sends: 2 })
  })

  it('catches a wrong reason, a wrong fail_fast and a wrong stated wait', async () => {
    const right = { reason: 'wait_over_cap', retry_after_ms: 60_000 }
    expect(await replay(givesUp, sendsAfter([], right))).toMatchObject({ verdict: 'passed' })
    const { mismatches } = await replay(givesUp, sendsAfter([], { reason: 'not_retryable' }))
    expect(mismatches).toEqual([
      { field: 'fail_fast', expected: true, actual: false },
      { field: 'reason', expected: 'wait_over_cap', actual: 'not_retryable' },
      { field: 'retry_after_ms', expected: 60_000, actual: null },
    ])
  })

  it('compares fail_fast also where the row does not state it', async () => {
    const final = retryRow({ retry: false }, { failure: 'status:500', retry_after: null })
    expect(await replay(final, sendsAfter([]))).toMatchObject({ verdict: 'passed' })
    const { mismatches } = await replay(final, sendsAfter([], { reason: 'deadline' }))
    expect(mismatches).toEqual([{ field: 'fail_fast', expected: false, actual: true }])
  })

  it('expects a refused policy to be named, and nothing to be sent', async () => {
    const row = retryRow({ policy_error: 'max_attempts' }, { policy: { max_attempts: 0 } })
    const refusing: Subject = { call: async () => ({ policy_error: 'max_attempts' }) }
    expect(await replay(row, refusing)).toMatchObject({ verdict: 'passed', mustSend: false })
    const { mismatches } = await replay(row, sendsAfter([]))
    expect(mismatches).toEqual([
      { field: 'sends', expected: 0, actual: 1 },
      { field: 'policy_error', expected: 'max_attempts', actual: undefined },
    ])
  })

  it('takes a preset in place of the table’s policy, and single fields over it', async () => {
    const seen: unknown[] = []
    const spy: Subject = {
      call(call) {
        seen.push(call.policy)
        return sendsAfter([2000]).call(call)
      },
    }
    await replay({ ...waits2s, random: 0, policy: { base_ms: 1 } }, spy)
    await replay({ ...waits2s, random: 0, policy: { preset: 'github', base_ms: 1 } }, spy)
    expect(seen).toEqual([
      { ...POLICY, base_ms: 1 },
      { preset: 'github', base_ms: 1 },
    ])
  })

  it('tells of a subject that throws, and of one that never settles', async () => {
    const throwing: Subject = {
      call() {
        throw new RangeError('no such thing')
      },
    }
    const hanging: Subject = { call: () => new Promise(() => undefined) }
    expect((await replay(waits2s, throwing)).mismatches.at(-1)?.actual).toBe('threw RangeError: no such thing')
    expect((await replay(waits2s, hanging)).mismatches.at(-1)?.actual).toBe(
      'never settled: Error: nothing is left to fire',
    )
  })

  it('catches another method, a lost header and another body in a later send', async () => {
    const careless: Subject = {
      async call({ fetch, request, clock }) {
        await fetch(request.url, { method: 'POST', headers: request.headers, body: 'first' })
        await new Promise<void>((resolve) => clock.timer(2000, resolve))
        await fetch(request.url, { method: 'PUT', body: 'second' })
        return {
          outcome: 'ok',
          status: 200,
          failure: null,
          reason: null,
          retry_after_ms: null,
          attempts: 2,
          waited_ms: 2000,
        }
      },
    }
    const row = { ...waits2s, method: 'POST', request_headers: { 'idempotency-key': 'k' } }
    expect((await replay(row, careless)).mismatches).toEqual([
      { field: 'send 2 method', expected: 'POST', actual: 'PUT' },
      { field: 'send 2 header idempotency-key', expected: 'k', actual: undefined },
      { field: 'send 2 body', expected: 'first', actual: 'second' },
    ])
  })
})

describe('a retry case of scope decision', () => {
  const row = retryRow({ retry: true, wait_ms_min: 2000, wait_ms_max: 2000 }, { scope: 'decision', waited_ms: 28_000 })

  it('goes to the decision function with every default filled in', async () => {
    const seen: unknown[] = []
    const subject: Subject = {
      ...sendsAfter([]),
      decide(input) {
        seen.push(input)
        return { retry: true, wait_ms: 2000 }
      },
    }
    expect(await replay({ ...row, random: 0.5 }, subject)).toMatchObject({
      verdict: 'passed',
      scope: 'decision',
      sends: 0,
    })
    expect(seen).toEqual([
      {
        policy: POLICY,
        failure: 'status:429',
        method: 'GET',
        headers: { 'retry-after': '2' },
        request_headers: {},
        idempotent: false,
        body: 'none',
        attempt: 1,
        waited_ms: 28_000,
        throttle_waited_ms: 0,
        elapsed_ms: 28_000,
        transient_failures: 1,
        retry_tokens: null,
        failed_transiently: false,
        response_body: null,
        now: Date.UTC(2026, 0, 1),
        random: 0.5,
      },
    ])
  })

  it('catches a wrong decision, a wrong wait, and no wait at all', async () => {
    const deciding = (actual: Awaited<ReturnType<NonNullable<Subject['decide']>>>): Subject => ({
      ...sendsAfter([]),
      decide: () => actual,
    })
    expect((await replay(row, deciding({ retry: false }))).mismatches[0]).toEqual({
      field: 'retry',
      expected: true,
      actual: false,
    })
    expect((await replay(row, deciding({ retry: true, wait_ms: 1999 }))).mismatches[0]?.field).toBe('wait_ms')
    expect((await replay(row, deciding({ retry: true, wait_ms: Number.NaN }))).mismatches[0]?.field).toBe('wait_ms')
    expect((await replay(row, deciding({ retry: true }))).mismatches[0]?.field).toBe('wait_ms')
    const final = retryRow({ retry: false, reason: 'deadline' }, { scope: 'decision', elapsed_ms: 1 })
    const { mismatches } = await replay(final, deciding({ retry: false, fail_fast: true, reason: 'deadline' }))
    expect(mismatches).toEqual([{ field: 'fail_fast', expected: false, actual: true }])
  })

  it('tells of a decision function that throws', async () => {
    const throwing: Subject = {
      ...sendsAfter([]),
      decide() {
        throw new RangeError('no such thing')
      },
    }
    const { mismatches } = await replay(row, throwing)
    expect(mismatches).toEqual([{ field: 'decide', expected: 'a decision', actual: 'threw RangeError: no such thing' }])
  })

  it('is skipped and counted where there is no decision function', async () => {
    const table = { suite: 'retry-cases', file: 't.json', version: null, policy: POLICY, cases: [row] } as const
    const seen: string[] = []
    const result = await runTable(table, sendsAfter([]), testClock, { onCase: ({ id }) => seen.push(id) })
    expect(result).toMatchObject({ passed: 0, failed: 0, skipped: { total: 1, byReason: { decision: 1 } } })
    expect(seen).toEqual(['retry-cases/one'])
  })
})

describe('a call scenario', () => {
  it('compares everything it states', async () => {
    const answers = [{ status: 503, after_ms: 10 }, { status: 429 }, { status: 200, after_ms: 5 }]
    const expect_ = {
      sends: 3,
      waits_ms: [100, [0, 250] as const],
      outcome: 'ok' as const,
      status: 200,
      failure: null,
      reason: null,
      retry_after_ms: null,
      attempts: 3,
      waited_ms: 300,
      ended_at_ms: 315,
      body_released: 2,
    }
    expect(await play({ answers }, expect_, sendsAfter([100, 200]))).toMatchObject({
      verdict: 'passed',
      mismatches: [],
    })
    const wrong = await play(
      { answers },
      { ...expect_, waits_ms: [100, [0, 199]], ended_at_ms: 1, body_released: 3 },
      sendsAfter([100, 200]),
    )
    expect(wrong.mismatches).toEqual([
      { field: 'waits_ms', expected: [100, [0, 199]], actual: [100, 200] },
      { field: 'ended_at_ms', expected: 1, actual: 315 },
      { field: 'body_released', expected: 3, actual: 2 },
    ])
  })

  it('of a subject that reads the answer itself counts the bodies of the others', async () => {
    const answers = [{ status: 503 }, { status: 503, body: 'the last' }]
    const reading = (consumesAnswer: boolean): Subject => ({
      consumesAnswer,
      async call({ request, fetch: transport }) {
        for (let attempts = 1; ; attempts++) {
          const response = await transport(request.url)
          await response.text()
          const told = { status: 503, failure: null, reason: 'attempts_exhausted', retry_after_ms: null, waited_ms: 0 }
          if (attempts === 2) return { outcome: 'gave_up', attempts, ...told }
        }
      },
    })
    const wanted = { sends: 2, outcome: 'gave_up' as const, body_released: 1 }
    expect((await play({ answers }, wanted, reading(true))).mismatches).toEqual([])
    expect((await play({ answers }, wanted, reading(false))).mismatches).toEqual([
      { field: 'body_released', expected: 1, actual: 2 },
    ])
  })

  it('aborts at its time, before anything else of that millisecond', async () => {
    const aborting: Subject = {
      async call(call) {
        const told = {
          outcome: 'aborted',
          status: null,
          failure: null,
          reason: 'aborted',
          retry_after_ms: null,
          attempts: 1,
          waited_ms: 0,
        } as const
        return send(call).then(
          () => ({ ...told, outcome: 'ok' as const, reason: null }),
          (error) => (error === call.signal.reason ? told : { ...told, outcome: 'gave_up' as const }),
        )
      },
    }
    const expected = { sends: 1, outcome: 'aborted', reason: 'aborted', ended_at_ms: 40, waits_ms: [] } as const
    const row = { abort_at_ms: 40, answers: [{ status: 200, after_ms: 40 }] }
    expect(await play(row, expected, aborting)).toMatchObject({ verdict: 'passed', mismatches: [] })
  })

  it('catches a timer and a send that were left behind', async () => {
    const careless: Subject = {
      async call(call) {
        void call.fetch(call.request.url)
        call.clock.timer(99, () => undefined)
        return sendsAfter([], { attempts: 2 }).call(call)
      },
    }
    const answers = [{ failure: 'timeout' }, { status: 200 }]
    expect((await play({ answers }, { sends: 2 }, careless)).mismatches).toEqual([
      { field: 'sends in flight after the call', expected: 0, actual: 1 },
      { field: 'timers left after the call', expected: 0, actual: 1 },
    ])
  })

  it('gives the draws in turn, the last repeating', async () => {
    const drawn: number[] = []
    const drawing: Subject = {
      call(call) {
        drawn.push(call.random(), call.random(), call.random())
        return sendsAfter([]).call(call)
      },
    }
    await play({ random: [0.1, 0.2] }, { sends: 1 }, drawing)
    expect(drawn).toEqual([0.1, 0.2, 0.2])
  })

  it('comes to an end also where a subject retries for ever', async () => {
    const endless: Subject = {
      async call(call) {
        for (;;) await send(call)
      },
    }
    const { mismatches } = await play({ answers: [{ status: 429 }] }, { sends: 4 }, endless)
    expect(mismatches[0]).toEqual({ field: 'sends', expected: 4, actual: 15 })
  })
})

describe('levels and needs', () => {
  const row = retryRow({ retry: true })

  it('a may row that differs is told and does not fail', async () => {
    const result = await replay({ ...row, level: 'may' }, sendsAfter([]))
    expect(result.verdict).toBe('differs')
    expect(result.mismatches).not.toEqual([])
  })

  it('a row that needs a feature the subject has not is skipped; without a list it has all', async () => {
    const hinted = { ...retryRow({ retry: true, wait_ms_min: 5 }), needs: ['hints'] }
    const subject = { ...sendsAfter([5]), features: ['deadline'] }
    expect(await replay(hinted, subject)).toMatchObject({ verdict: 'skipped', skipReason: 'needs hints' })
    expect(await replay(hinted, sendsAfter([5]))).toMatchObject({ verdict: 'passed' })
  })

  it('a row with a body that the subject cannot send is skipped', async () => {
    const streamed = { ...retryRow({ retry: false }), method: 'POST', body: 'stream' as const }
    const subject = { ...sendsAfter([5]), bodies: ['none', 'replayable'] as const }
    expect(await replay(streamed, subject)).toMatchObject({ verdict: 'skipped', skipReason: 'body stream' })
    expect(await replay({ ...streamed, body: 'replayable' }, subject)).toMatchObject({ skipReason: null })
  })
})

it('a mismatch reads well', async () => {
  const row = retryRow({ retry: true, wait_ms_min: 2000, wait_ms_max: 2000 })
  expect(formatMismatch(await replay(row, sendsAfter([])))).toBe(
    [
      'R1 retry-cases/one: a sentence (random 0)',
      '  sends: expected 2, got 1',
      '  wait_ms: expected 2000, got nothing',
      '  outcome: expected "ok", got "gave_up"',
      '  status: expected 200, got 429',
    ].join('\n'),
  )
})
