import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { type Clock, interactive, type Logger, type RetryPolicy, systemClock } from '@sluice/core'
import { checkedPolicy } from '@sluice/core/adapter'
import { type ApiDocument, isToken } from '@sluice/openapi'
import { callTool } from '../call/call-tool.js'
import type { CallEnded, CallSettings } from '../call/settings.js'
import type { Selection } from '../tools/select.js'
import { toolsOf } from '../tools/tool.js'
import { version } from '../version.js'
import { progressOf } from './progress.js'

/** Hosts give a request 60 s. */
export const DEFAULT_DEADLINE_MS = 50_000
export const DEFAULT_MAX_CHARS = 100_000

/** What a server is made of. All but the first two are optional. */
export interface McpServerOptions extends Selection {
  /** From `readDocument()` of @sluice/openapi. */
  readonly document: ApiDocument
  /** Where requests go. The document's own servers are not used: a token goes only where you say. */
  readonly baseUrl: string
  /** Placed as each operation's security asks. Default: none is sent. */
  readonly token?: string | undefined
  /** Sent with every request. */
  readonly headers?: HeadersInit | undefined
  /** What the document's `x-sluice-retry` goes over. Default: `interactive`. */
  readonly policy?: RetryPolicy | undefined
  /** False: one attempt a call, whatever the policy and the document say. Default true. */
  readonly retry?: boolean | undefined
  /** Bounds a whole call in ms, its waits included; null: nothing does. Default 50 000, below the 60 s of most hosts. */
  readonly deadlineMs?: number | null | undefined
  /** The most characters of an answer that are handed over. Default 100 000. */
  readonly maxChars?: number | undefined
  /** How a throttle to the end is told (S2): as a result, which agents read, or as a JSON-RPC error. Default `result`. */
  readonly errorMode?: 'result' | 'protocol' | undefined
  /** Told of each call that was made, also of one that was cancelled. */
  readonly onEnd?: ((event: CallEnded) => void) | undefined
  /** One debug line a retry. */
  readonly logger?: Logger | undefined
  /** Default: the platform's. */
  readonly fetch?: typeof fetch | undefined
  /** Default: the system's. */
  readonly clock?: Clock | undefined
  /** Draws from [0, 1). Default `Math.random`. */
  readonly random?: (() => number) | undefined
}

/** Makes servers that offer the same tools: one for each connection. */
export interface McpServers {
  readonly create: () => Server
  /** The names of the tools. */
  readonly tools: readonly string[]
  /** Operations that cannot be tools, and why: one line each. */
  readonly leftOut: readonly string[]
}

/**
 * A server for one connection, to be connected to a transport.
 * @throws UsageError where the selection cannot be met; TypeError for an option that cannot be
 */
export async function createMcpServer(options: McpServerOptions): Promise<Server> {
  return (await createMcpServers(options)).create()
}

/** The same for many connections: the tools are made once. */
export async function createMcpServers(options: McpServerOptions): Promise<McpServers> {
  const settings = settingsOf(options)
  const { document } = options
  const { tools, leftOut } = await toolsOf(document, options, settings.headers)
  const descriptions = [...tools.values()].map(({ description }) => description)
  const create = (): Server => {
    const server = new Server(
      { name: 'sluice', version: version(), title: document.title },
      { capabilities: { tools: {} } },
    )
    server.setRequestHandler('tools/list', () => ({ tools: descriptions }))
    // The low-level handler: what it throws stays a JSON-RPC error with its data.
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = tools.get(params.name)
      if (!tool)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `no tool ${params.name}; tools/list names them`)
      const sending = { signal: context.mcpReq.signal, onRetry: progressOf(context) }
      return callTool(tool, params.arguments ?? {}, settings, sending)
    })
    return server
  }
  return { create, tools: [...tools.keys()], leftOut }
}

function settingsOf(options: McpServerOptions): CallSettings {
  const { maxChars = DEFAULT_MAX_CHARS, deadlineMs = DEFAULT_DEADLINE_MS } = options
  if (!Number.isInteger(maxChars) || maxChars < 1)
    throw new TypeError(`createMcpServer: maxChars must be a whole number of at least 1; got ${maxChars}`)
  const token = options.token ?? null
  // The platform's own message would show it.
  if (token !== null && !isToken(token))
    throw new TypeError('createMcpServer: token must be one line of printable ASCII characters')
  const headers = new Headers(options.headers)
  if (!headers.has('user-agent')) headers.set('user-agent', `sluice-mcp/${version()}`)
  return {
    ...{ maxChars, deadlineMs, headers, token, baseUrl: options.baseUrl },
    policy: checkedPolicy(options.policy ?? interactive, 'createMcpServer'),
    retry: options.retry ?? true,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    errorMode: options.errorMode ?? 'result',
    onEnd: options.onEnd,
    logger: options.logger,
  }
}
