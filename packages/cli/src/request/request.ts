import { isAttemptTimeout } from '@sluice/core'
import { headersOf } from '../arguments/header.js'
import type { End } from '../ends/end.js'
import { waitingNote } from '../ends/waiting-note.js'
import { exitCodeOf, messageOf, reportOf } from '../ends/words.js'
import { OutputError } from '../output/output-error.js'
import { type OutputFile, outputFile } from '../output/output-file.js'
import { ReaderGoneError } from '../output/reader-gone-error.js'
import { type Sink, sinkOf } from '../output/sink.js'
import { type Voice, voiceOf } from '../output/voice.js'
import { readPolicy } from '../policy/read-policy.js'
import { version } from '../program.js'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'
import { call, type Plan } from './call.js'
import { causeOf } from './cause-of.js'
import type { RequestOptions } from './command.js'
import { deliver, headOf } from './deliver.js'
import { readBody } from './read-body.js'
import { checkMethod, checkUrl } from './target.js'

/** The command line of `sluice request`, read. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly options: RequestOptions
  /** By flag or by environment. */
  readonly noRetry: boolean
}

/** `sluice request`: makes the call, writes its answer, says how it ended. @returns the exit code (S1) */
export async function request(world: World, asked: Asked): Promise<number> {
  const { options } = asked
  const voice = voiceOf(world)
  const { plan, file } = await prepare(world, asked, voice)
  const { end: called, response } = await call(world, plan)

  let end = called
  if (response && called.kind !== 'throttled') end = await write(world, response, called, file, options)
  else await response?.body?.cancel() // S1: nothing on stdout

  const message = messageOf(end)
  if (options.report || (options.json && message !== null)) await voice.json(reportOf(end))
  else if (message !== null) await voice.error(message)
  return exitCodeOf(end, options.throttledExitCode)
}

/** Reads and checks everything that the command line names, before anything is sent. */
async function prepare(world: World, asked: Asked, voice: Voice): Promise<{ plan: Plan; file: OutputFile | null }> {
  const { options } = asked
  const method = checkMethod(asked.method, options.data !== undefined)
  const url = checkUrl(asked.url)
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
    onRetry: (event) => quiet || voice.note(waitingNote(event)),
  }
  return { plan, file }
}

function setKey(headers: Headers, key: string): void {
  if (headers.has('idempotency-key')) throw new UsageError('--idempotency-key: -H gives an Idempotency-Key already')
  try {
    headers.set('idempotency-key', key)
  } catch {
    throw new UsageError('--idempotency-key: the key holds characters that a header cannot carry')
  }
}

/** Writes an answer; a failure on the way is another end. */
async function write(
  world: World,
  response: Response,
  end: End,
  file: OutputFile | null,
  options: RequestOptions,
): Promise<End> {
  const stdout = sinkOf(world.stdout, 'stdout', world.signal)
  // Only a success goes to the file: what it held before is worth more than an error page.
  const open = end.kind === 'ok' ? await file?.open() : undefined
  const sink: Sink = open ?? stdout
  try {
    if (options.include) await sink.write(headOf(response))
    const title = await deliver(response, sink)
    await open?.keep()
    return { ...end, title }
  } catch (error) {
    if (error instanceof ReaderGoneError) return end
    if (error instanceof OutputError) throw error
    if (world.signal.aborted) return { ...end, kind: 'aborted', reason: 'aborted', retryAfterMs: null, failure: null }
    if (isAttemptTimeout(error)) return { ...end, kind: 'timeout', failure: 'timeout' }
    return { ...end, kind: 'connect', failure: 'connect', cause: causeOf(error) }
  } finally {
    await open?.drop()
    response.body?.cancel().catch(() => {}) // R12: also where the writing stopped
  }
}
