import { policyOfSettings } from '@sluice/core/adapter'
import { type End, waitingNote } from '@sluice/core/words'
import { addPlaced, CredentialError, type Operation, type Placed, placeToken, redact } from '@sluice/openapi'
import { headersOf } from '../arguments/header.js'
import { adviceOf } from '../ends/advice.js'
import { outputFile } from '../output/output-file.js'
import { type Voice, voiceOf } from '../output/voice.js'
import { readPolicy } from '../policy/read-policy.js'
import { type Prepared, perform, setKey } from '../request/request.js'
import { checkMethod } from '../request/target.js'
import { UsageError } from '../usage-error.js'
import { version } from '../version.js'
import type { World } from '../world.js'
import { baseUrlFor } from './base-url.js'
import { buildRequest } from './build-request.js'
import { deliverFormatted } from './format/deliver-formatted.js'
import type { Written } from './given.js'
import { type Input, keyParameter } from './inputs.js'
import type { CallOptions } from './own-options.js'
import { readToken, type Token } from './token.js'

/** One call as it was asked for. */
export interface AskedCall {
  /** Whether the document is the gateway's own. */
  readonly ours: boolean
  readonly operation: Operation
  readonly inputs: readonly Input[]
  readonly written: Written
  readonly options: CallOptions
  readonly noRetry: boolean
}

/** Calls an operation as `sluice request` makes a request. @returns the exit code (S1) */
export async function makeCall(world: World, asked: AskedCall): Promise<number> {
  const { options } = asked
  if (options.columns !== undefined && options.format !== 'table')
    throw new UsageError('--columns is for --format table')
  const token = await readToken(world, options)
  const hide = <T>(value: T): T => redact(value, token === null ? [] : [token.value])
  const plain = voiceOf(world)
  const voice: Voice = {
    ...plain,
    error: (message) => plain.error(hide(message)),
    json: (value) => plain.json(hide(value)),
  }
  const prepared = await prepare(world, asked, token, voice)
  const format = {
    how: options.format,
    columns: options.columns?.split(',').map((name) => name.trim()),
    onTerminal: world.isTTY.stdout && prepared.file === null,
    toFile: prepared.file !== null,
    note: voice.note,
  }
  return perform(world, prepared, {
    ...{ options, voice, hide },
    advice: (end) => adviceOn(end, token, prepared.plan.body) ?? adviceOf(end),
    deliverSuccess: (response, sink) => deliverFormatted(response, sink, format),
  })
}

/** What a person who watches can do about it. */
function adviceOn({ kind, status }: End, token: Token | null, body: BodyInit | null): string | null {
  if (kind !== 'status') return null
  if (status === 411 && body instanceof ReadableStream)
    return 'the server wants to know how long the body is: give it as a file (--body @FILE), or raise max_replay_bytes (--policy)'
  if (status !== 401) return null
  return token === null
    ? 'no token was sent: set SLUICE_TOKEN, or give --token-file FILE'
    : `the token was refused: it may have expired; check ${token.from}`
}

/** Reads and checks everything that the command line names, before anything is sent. */
async function prepare(world: World, asked: AskedCall, token: Token | null, voice: Voice): Promise<Prepared> {
  const { operation, options } = asked
  const given = headersOf(options.header ?? [])
  if (typeof options.idempotencyKey === 'string') setKey(given, options.idempotencyKey)
  const policy = await readPolicy(options, asked.noRetry, policyOfSettings(operation.retry))
  const file = options.output === undefined || options.output === '-' ? null : await outputFile(options.output)
  const { request, body } = await buildRequest(
    world,
    asked,
    baseUrlFor(world, asked, token, given),
    policy.maxReplayBytes,
  )

  checkMethod(request.method, false)
  if (body !== null && /^(GET|HEAD)$/.test(request.method))
    throw new UsageError(
      `--body: a ${request.method} request cannot carry the body that the document gives ${operation.id}`,
    )
  const headers = new Headers(request.headers)
  for (const [name, value] of given) headers.set(name, value)
  if (!headers.has('user-agent')) headers.set('user-agent', `sluice/${version()}`)
  if (keyParameter(operation)?.required && options.idempotencyKey === undefined && !headers.has('idempotency-key'))
    throw new UsageError(`${operation.id} needs --idempotency-key`)
  const url = token === null ? request.url : addPlaced(placed(operation, token, given), request.url, headers)

  return {
    file,
    plan: {
      ...{ method: request.method, url, headers, body, policy },
      idempotent: options.idempotent ?? operation.retry.idempotent ?? false,
      makeKey: options.idempotencyKey === true,
      onRetry(event) {
        if (!options.json && !options.report) void voice.note(waitingNote(event))
      },
    },
  }
}

/** @throws UsageError that says where the token came from */
function placed(operation: Operation, { value, from }: Token, given: Headers): Placed {
  try {
    return placeToken(operation, value, given)
  } catch (error) {
    if (error instanceof CredentialError) throw new UsageError(`${from}: ${error.message}`)
    throw error
  }
}
