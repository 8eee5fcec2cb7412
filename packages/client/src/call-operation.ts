import { onAbort } from '@sluice/core/adapter'
import { type Clock, type SluiceFetch, systemClock } from '@sluice/fetch'
import { beginNote, type CallNote } from './calls.js'
import { checkPath } from './check-inputs.js'
import { errorOf } from './error-of.js'
import type { Client } from './gen/client/index.js'
import { type AnyOperation, type AnyOptions, type AnyResult, isStream, plainHeaders, rawBody } from './operations.js'
import type { Settings } from './settings.js'

/** What the calls of a client share. */
export interface CallContext {
  readonly settings: Settings
  readonly client: Client
  readonly fetch: SluiceFetch
}

/** The only headers that `.trace()` may set: baggage, say, is not for every host. */
const TRACE_HEADERS = ['traceparent', 'tracestate']

/** Calls an operation for one client, and keeps what its result and its error need to tell. */
export async function callOperation(
  operation: AnyOperation,
  given: AnyOptions,
  context: CallContext,
): Promise<AnyResult> {
  const { settings, client } = context
  // Before anything is awaited: in browsers the active span is known no longer after it.
  const trace = settings.trace?.() ?? {}
  const headers = plainHeaders(given.headers, given.body)
  const ownToken = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  let seen: { request: Request; note: CallNote; response?: Response } | undefined
  const fetch = async (request: Request): Promise<Response> => {
    const note = beginNote(request, settings.policy?.deadlineMs ?? null)
    seen = { request, note }
    addTrace(request, trace, settings)
    seen.response = await noting(context, note)(request, bareStream(request, given))
    return seen.response
  }
  const options = {
    ...rawBody(given),
    ...given,
    ...(ownToken && { auth: undefined }), // the runtime would replace it
    sseSleepFn: (ms: number) => pause(ms, settings.options.clock ?? systemClock, given.signal),
    ...{ headers, client, fetch, throwOnError: false, responseStyle: 'fields' },
    requestValidator: async (checked: AnyOptions) => checkPath(checked),
  }
  let result: AnyResult
  try {
    result = await operation(options)
  } catch (error) {
    if (!seen) throw error // the arguments were refused
    const { request, response, note } = seen
    note.unreadable = response !== undefined
    result = { data: undefined, error, request, ...(response && { response }) }
  }
  if (given.throwOnError && result.error !== undefined) throw errorOf(result)
  return result
}

/** R13: a stream is sent once; inside a Request it would be kept for a retry. */
const bareStream = ({ body }: Request, given: AnyOptions): RequestInit | undefined =>
  isStream(given.body) ? ({ body, duplex: 'half' } as RequestInit) : undefined // duplex is not in lib.dom

/** The client's fetch for one call, which notes how it goes. */
function noting({ fetch, settings }: CallContext, note: CallNote): SluiceFetch {
  const { onRetry, onGiveUp } = settings.options
  return fetch.with({
    onRetry(event) {
      if (event.failure.kind === 'status') note.status = event.failure.status
      onRetry?.(event)
    },
    onGiveUp(event) {
      if (event.failure?.kind === 'status') note.status = event.failure.status
      note.gaveUp = event
      onGiveUp?.(event)
    },
  })
}

function addTrace({ headers }: Request, trace: Readonly<Record<string, string>>, settings: Settings): void {
  // What the caller says of traces stands alone: half of it and half of ours would belong to no trace.
  if (TRACE_HEADERS.some((name) => headers.has(name) || settings.headers.has(name))) return
  for (const name of TRACE_HEADERS) if (trace[name] !== undefined) headers.set(name, trace[name])
}

/** The wait of the reader of a stream before it connects again; an abort ends it. */
const pause = (ms: number, clock: Clock, signal: AbortSignal | null | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = (): void => {
      cancel()
      unhear?.()
      resolve()
    }
    const cancel = clock.timer(ms, end)
    const unhear = signal ? onAbort(signal, end) : undefined
  })
