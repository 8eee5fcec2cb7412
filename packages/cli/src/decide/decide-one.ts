import { type Classification, type Failure, failureOf, isSafeToRepeat, systemClock } from '@sluice/core'
import { headersOf } from '../arguments/header.js'
import { readText } from '../arguments/read-text.js'
import { sinkOf } from '../output/sink.js'
import { readPolicy } from '../policy/read-policy.js'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'
import type { DecideOptions } from './command.js'
import { asJson, asText } from './show.js'
import { isSuccess } from './success.js'
import { ask, type Question } from './verdict.js'

/** The command line of `sluice decide`, read. */
export interface Asked {
  readonly failure: string
  readonly options: DecideOptions
  readonly noRetry: boolean
}

/** `sluice decide`: asks the policy about one failure, and shows the answer. @returns 0: it answered */
export async function decideOne(world: World, { failure: text, options, noRetry }: Asked): Promise<number> {
  const policy = await readPolicy(options, noRetry)
  const failure = readFailure(text, headersOf(options.header ?? []))
  const { waited: waitedMs, throttleWaited: throttleWaitedMs, method, attempt } = options
  let classification: Classification | undefined
  if (failure.kind === 'status' && policy.classify && !isSuccess(failure)) {
    const body = await readBody(options.body)
    classification = await policy.classify(failure, async () => body)
  }
  const question: Question = {
    ...{ policy, failure, classification, attempt, waitedMs, throttleWaitedMs, draw: options.draw },
    transientFailures: options.transientFailures ?? attempt,
    safe: isSafeToRepeat(method, options.idempotencyKey ?? false, options.idempotent ?? false),
    keyed: options.idempotencyKey ?? false,
    replayable: !options.stream,
    elapsedMs: options.elapsed ?? waitedMs + throttleWaitedMs,
    failedTransiently: options.failedTransiently ?? false,
    retryTokens: options.retryTokens ?? Number.POSITIVE_INFINITY,
    wallNow: options.now === undefined ? (world.clock ?? systemClock).wallNow() : readDate(options.now),
  }
  const verdict = ask(question)
  const stdout = sinkOf(world.stdout, 'stdout', world.signal)
  await stdout.write(`${options.json ? asJson(question, verdict) : asText(text, method, question, verdict)}\n`)
  return 0
}

function readFailure(text: string, headers: Headers): Failure {
  const [, word, code] = /^(\d{3}|connect|timeout|network):?(.*)$/.exec(text) ?? []
  if (word === 'network' && code) return failureOf(Object.assign(new Error(text), { code }))
  if (!code && (word === 'connect' || word === 'timeout')) return { kind: word }
  const status = Number(word)
  if (!code && status >= 100 && status <= 599) return { kind: 'status', status, headers }
  throw new UsageError(
    `${JSON.stringify(text)} is no failure: give a status from 100 to 599, connect, timeout, or network:CODE such as network:ECONNRESET`,
  )
}

const readBody = async (given = ''): Promise<string> =>
  given.startsWith('@') ? readText('--body', given.slice(1)) : given

function readDate(text: string): number {
  const epochMs = /^\d+$/.test(text) ? Number(text) : new Date(text).getTime()
  if (Number.isSafeInteger(epochMs) && epochMs >= 0) return epochMs
  throw new UsageError(`--now: ${JSON.stringify(text)} is no date; write 2026-01-01T00:00:00Z, or epoch milliseconds`)
}
