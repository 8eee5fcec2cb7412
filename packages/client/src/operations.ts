import * as sdk from './gen/sdk.gen.js'
import type { EventLines, EventList, SendEventsData } from './gen/types.gen.js'

/** Events as lines of JSON, in any form that can be sent. */
export type Lines = EventLines | Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | ReadableStream<Uint8Array>

type Generated = typeof sdk

/** One method for each operation of the gateway's document, by its operationId. */
export interface Operations extends Omit<Generated, 'sendEvents'> {
  /** {@link Generated.sendEvents}; a `body` that is no list is sent as `application/x-ndjson`. */
  sendEvents<ThrowOnError extends boolean = false>(
    options: Omit<sdk.Options<SendEventsData, ThrowOnError>, 'body'> & { body: EventList | Lines },
  ): ReturnType<typeof sdk.sendEvents<ThrowOnError>>
}

/** What any of them takes, as far as this package looks into it. */
export interface AnyOptions {
  readonly body?: unknown
  readonly headers?: unknown
  readonly signal?: AbortSignal | null
  readonly throwOnError?: boolean
  readonly [name: string]: unknown
}

/** What any of them resolves with; one that streams, with the stream alone. */
export interface AnyResult {
  readonly data?: unknown
  readonly error?: unknown
  readonly request?: Request
  readonly response?: Response
}

export type AnyOperation = (options: AnyOptions) => Promise<AnyResult>

/** By name. The generated functions differ in their types, and all of them are of this kind. */
export const generated = Object.entries(sdk) as [name: string, operation: unknown][] as [string, AnyOperation][]

/** Answers that the runtime would take for bytes by their media type, and which are text. */
export const READ_AS: Readonly<Record<string, AnyOptions>> = { exportBacklog: { parseAs: 'text' } }

export const isStream = (body: unknown): boolean => typeof body === 'object' && body !== null && 'getReader' in body

/** Whether a body goes out as it is; everything else is written as JSON. */
const isRaw = (body: unknown): boolean =>
  typeof body === 'string' ||
  isStream(body) ||
  body instanceof Blob ||
  body instanceof ArrayBuffer ||
  ArrayBuffer.isView(body)

/** How the runtime sends a body that is no JSON. */
export const rawBody = ({ body }: AnyOptions): AnyOptions =>
  isRaw(body) ? { bodySerializer: null, ...(isStream(body) && { duplex: 'half' }) } : {}

/** A record, so that the generated code can spread it, which loses what a `Headers` holds. */
export function plainHeaders(headers: unknown, body: unknown): Record<string, unknown> {
  const given =
    headers instanceof Headers || Array.isArray(headers) ? Object.fromEntries(new Headers(headers)) : headers
  const typed = Object.keys(Object(given)).some((name) => name.toLowerCase() === 'content-type')
  return { ...(isRaw(body) && !typed && { 'Content-Type': 'application/x-ndjson' }), ...Object(given) }
}
