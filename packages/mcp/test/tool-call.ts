import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Call, Ended } from '@sluice/conformance'
import { policyFromTable } from '@sluice/core/conformance'
import type { CallEnded, McpServerOptions } from '@sluice/mcp'
import type { ApiDocument } from '@sluice/openapi'
import { documentOf } from './document.js'
import { connected } from './in-memory.js'

type Mcp = typeof import('@sluice/mcp')

/** What came of a tool call: what its caller got, and what the server says of it. */
export interface Called {
  /** A result, or what the call was rejected with. */
  readonly got: CallToolResult | Error
  readonly told: CallEnded
  readonly progress: readonly string[]
}

const documents = new Map<string, ApiDocument>()

/** One document for all calls alike: schemas are compiled once for an operation. */
function documentFor(id: string, path: string, { method, body, idempotent }: Call['request']): ApiDocument {
  const key = JSON.stringify([id, path, method, body, idempotent])
  const content = [{ contentType: 'text/plain', schema: { type: 'string' }, encoding: {} }]
  const document =
    documents.get(key) ??
    documentOf({
      ...{ id, path, method, retry: idempotent ? { idempotent } : {} },
      body: body === 'none' ? null : { required: true, description: '', content },
    })
  documents.set(key, document)
  return document
}

/** Makes a table's call as a host does: a client in memory, a tool of the same name, a progress token. */
export async function toolCall(
  { policy: fields, request, fetch, clock, random, signal }: Call,
  mcp: Mcp,
  more: Partial<McpServerOptions> & { tool?: string } = {},
): Promise<Called | { policy_error: string }> {
  const policy = policyFromTable(fields, mcp)
  if ('policy_error' in policy) return policy
  const { tool = 'items', ...options } = more
  const { origin, pathname } = new URL(request.url)
  const hasBody = request.body === 'replayable'
  let tell = (_: CallEnded): void => {}
  const told = new Promise<CallEnded>((resolve) => {
    tell = resolve
  })
  const server = await mcp.createMcpServer({
    document: documentFor(tool, pathname, request),
    ...{ baseUrl: origin, headers: request.headers, allowWrite: true },
    ...{ policy, deadlineMs: policy.deadlineMs, fetch, clock, random, onEnd: tell },
    ...options,
  })
  const client = await connected(server)
  const progress: string[] = []
  const call = client.callTool(
    { name: tool, arguments: hasBody ? { body: 'body' } : {} },
    { signal, onprogress: ({ message }) => void progress.push(message ?? '') },
  )
  const got = await call.catch((error: Error) => error)
  // A caller that cancelled hears nothing of the end: the server is asked.
  return { got: got as CallToolResult | Error, told: await told, progress }
}

/** The end of a call in the tables' words, and whether what the caller got agrees with it. */
export async function endedOf(call: Call, mcp: Mcp): Promise<Ended> {
  const called = await toolCall(call, mcp)
  if ('policy_error' in called) return called
  const { got, told } = called
  const { kind, status, failure, reason, retryAfterMs, attempts, waitedMs } = told.end
  const outcome = kind === 'ok' || kind === 'aborted' ? kind : 'gave_up'
  const seen = got instanceof Error ? 'aborted' : got.isError ? 'gave_up' : 'ok'
  if (seen !== outcome) throw new Error(`the server says ${outcome}, its caller got ${seen}`)
  return { outcome, status, failure, reason, retry_after_ms: retryAfterMs, attempts, waited_ms: waitedMs }
}
