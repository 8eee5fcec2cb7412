import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'
import { BIN, environment, start } from './child.js'

/** A tool's result as both SDKs type it, as far as tests look. */
export interface HostResult {
  content: { type: string; text?: string; data?: string; mimeType?: string }[]
  isError?: boolean
  structuredContent?: Record<string, unknown>
  _meta?: Record<string, unknown>
}

/** A host with a connection to a `sluice-mcp` that is a process of its own. */
export interface Host {
  list(): Promise<{ name: string; inputSchema: object }[]>
  call(
    name: string,
    args: Record<string, unknown>,
    options?: {
      signal?: AbortSignal
      onprogress?: (progress: { progress: number; message?: string | undefined }) => void
    },
  ): Promise<HostResult>
  stderr(): string
}

const INFO = { name: 'test', version: '1' }

export const KINDS = ['v1 over stdio', 'v2 over stdio', 'v1 over HTTP', 'v2 over HTTP', 'v2 over HTTP, 2026'] as const
export type Kind = (typeof KINDS)[number]

/** Starts a server and connects this kind of host to it. */
export async function host(kind: Kind, args: readonly string[], env: Record<string, string> = {}): Promise<Host> {
  const isV1 = kind.startsWith('v1')
  const client = isV1
    ? new ClientV1(INFO)
    : new ClientV2(INFO, kind.endsWith('2026') ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {})
  let stderr = (): string => ''
  if (kind.endsWith('stdio')) {
    const given = { command: process.execPath, args: [BIN, ...args], env: environment(env), stderr: 'pipe' as const }
    const transport = isV1 ? new StdioV1(given) : new StdioV2(given)
    let text = ''
    transport.stderr?.on('data', (chunk) => {
      text += chunk
    })
    stderr = () => text
    // One of the two, and its own transport: the union does not say that they belong together.
    await client.connect(transport as never)
  } else {
    const child = start([...args, '--http', '0'], env)
    stderr = child.stderr
    const [url = ''] = /http:\S+\/mcp/.exec(await child.said(/listening on/)) ?? []
    const transport = isV1 ? new HttpV1(new URL(url)) : new HttpV2(new URL(url))
    await client.connect(transport as never) // as above
  }
  onTestFinished(() => client.close())
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, given, options) =>
      (client instanceof ClientV1
        ? await client.callTool({ name, arguments: given }, undefined, options)
        : await client.callTool({ name, arguments: given }, options)) as HostResult,
    stderr,
  }
}
