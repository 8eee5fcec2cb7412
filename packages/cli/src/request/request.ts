import { isAttemptTimeout } from '@sluice/core'
import { causeOf, type End, messageOf, reportOf, waitingNote } from '@sluice/core/words'
import { headersOf } from '../arguments/header.js'
import { adviceOf } from '../ends/advice.js'
import { brokeOff } from '../ends/broke-off.js'
import { exitCodeOf } from '../ends/exit-code.js'
import { OutputError } from '../output/output-error.js'
import { type OutputFile, outputFile } from '../output/output-file.js'
import { ReaderGoneError } from '../output/reader-gone-error.js'
import { sinkOf } from '../output/sink.js'
import { tallyOf } from '../output/tally.js'
import { type Voice, voiceOf } from '../output/voice.js'
import { readPolicy } from '../policy/read-policy.js'
import { UsageError } from '../usage-error.js'
import { version } from '../version.js'
import type { World } from '../world.js'
import { call, type Plan } from './call.js'
import type { RequestOptions } from './command.js'
import { deliver, headOf } from './deliver.js'
import { readBody } from './read-body.js'
import { checkMethod, checkUrl } from './target.js'

/** The command line of `sluice request`, read. */
export interface Asked {
  readonly method: string
  /** Undefined where only one argument was given. */
  readonly url: string | undefined
  readonly options: RequestOptions
  /** By flag or by environment. */
  readonly noRetry: boolean
}

/** A call that was read and checked, ready to be made. */
export interface Prepared {
  readonly plan: Plan
  /** Where a success is written instead of stdout. */
  readonly file: OutputFile | null
}

/** How a prepared call is told of. */
export interface Manner {
  readonly options: Pick<RequestOptions, 'include' | 'json' | 'report' | 'throttledExitCode'>
  readonly voice: Voice
  /** What a person who watches is told to do about an end. */
  readonly advice?: (end: End) => string | null
  /** Writes the body of a success. Default: as it is. */
  readonly deliverSuccess?: typeof deliver
  /** For what is told of the answer's head. Default: nothing is hidden. */
  readonly hide?: (text: string) => string
}

/** `sluice request`: makes the call, writes its answer, says how it ended. @returns the exit code (S1) */
export async function request(world: World, asked: Asked): Promise<number> {
  const voice = voiceOf(world)
  return perform(world, await prepare(world, asked, voice), { options: asked.options, voice })
}

/** Makes a call that is ready, writes its answer, says how it ended. @returns the exit code (S1) */
export async function perform(world: World, { plan, file }: Prepared, manner: Manner): Promise<number> {
  const { options, voice, advice = adviceOf } = manner
  const { end: called, response } = await call(world, plan)

  let written: Written = { end: called }
  if (response && called.kind !== 'throttled') written = await write(world, response, called, file, manner)
  else await response?.body?.cancel() // S1: nothing on stdout

  const { end, message = messageOf(end), midLine } = written
  const asData = options.report || (options.json && message !== null)
  if (midLine && (asData || message !== null)) await voice.breakLine()
  if (asData) await voice.json({ ...reportOf(end), message })
  else if (message !== null) {
    await voice.error(message)
    const remedy = advice(end)
    if (remedy !== null) await voice.note(remedy)
  }
  return exitCodeOf(end, options.throttledExitCode)
}

/** Reads and checks everything that the command line names, before anything is sent. */
async function prepare(world: World, asked: Asked, voice: Voice): Promise<Prepared> {
  const { options } = asked
  const method = checkMethod(asked.method, options.data !== undefined)
  const url = checkUrl(asked.url, method)
  const headers = headersOf(options.header ?? [])
  if (typeof options.idempotencyKey === 'string') setKey(headers, options.idempotencyKey)
  if (!headers.has('user-agent')) headers.set('user-agent', `sluice/${version()}`)
  const policy = await readPolicy(options, asked.noRetry)
  const file = options.output === undefined || options.output === '-' ? null : await outputFile(options.output)
  const body = await readBody(options.data, world.stdin, policy.maxReplayBytes, world.signal)
  const quiet = options.json || options.report
  const plan: Plan = {
    ...{ method, url, headers, body, policy },
    idempotent: options.idempotent ?? false,
    makeKey: options.idempotencyKey === true,
    onRetry(event) {
      if (!quiet) void voice.note(waitingNote(event))
    },
  }
  return { plan, file }
}

/** @throws UsageError where there is one already, or a header cannot carry it */
export function setKey(headers: Headers, key: string): void {
  if (headers.has('idempotency-key')) throw new UsageError('--idempotency-key: -H gives an Idempotency-Key already')
  try {
    headers.set('idempotency-key', key)
  } catch {
    throw new UsageError('--idempotency-key: the key holds characters that a header cannot carry')
  }
}

/** How a call ended once its answer was written. */
interface Written {
  readonly end: End
  /** In place of the end's own. */
  readonly message?: string
  /** The terminal that stderr goes to as well was left in the middle of a line. */
  readonly midLine?: boolean
}

/** Writes an answer; a failure on the way is another end. */
async function write(
  world: World,
  response: Response,
  end: End,
  file: OutputFile | null,
  { options, deliverSuccess = deliver, hide = (text) => text }: Manner,
): Promise<Written> {
  const stdout = sinkOf(world.stdout, 'stdout', world.signal)
  // Only a success goes to the file: what it held before is worth more than an error page.
  const open = end.kind === 'ok' ? await file?.open() : undefined
  const sink = open ?? stdout
  const body = tallyOf(sink)
  const ending = (changed: Partial<End> = {}): Written => ({
    end: { ...end, ...changed },
    midLine: !open && world.isTTY.stdout && world.isTTY.stderr && body.midLine,
  })
  try {
    if (options.include) await sink.write(hide(headOf(response)))
    const title = await (end.kind === 'ok' ? deliverSuccess : deliver)(response, body)
    await open?.keep()
    return ending({ title })
  } catch (error) {
    if (error instanceof ReaderGoneError) return ending()
    if (error instanceof OutputError) throw error
    if (world.signal.aborted) return ending({ kind: 'aborted', reason: 'aborted', retryAfterMs: null, failure: null })
    if (isAttemptTimeout(error))
      return { ...ending({ kind: 'timeout', failure: 'timeout' }), message: brokeOff(body.bytes, 'nothing more came') }
    const cause = causeOf(error)
    return { ...ending({ kind: 'connect', failure: 'connect', cause }), message: brokeOff(body.bytes, cause) }
  } finally {
    await open?.drop()
    response.body?.cancel().catch(() => {}) // R12: also where the writing stopped
  }
}
