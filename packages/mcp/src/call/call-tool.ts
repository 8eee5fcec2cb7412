import type { CallToolResult } from '@modelcontextprotocol/server'
import { ArgumentError, CredentialError, checkArguments, redact, requestOf } from '@sluice/openapi'
import { resultOf, said } from '../answer/result-of.js'
import type { Tool } from '../tools/tool.js'
import { failureResult } from './failure-result.js'
import { type Sending, send } from './send.js'
import type { CallSettings } from './settings.js'

/**
 * Calls a tool (S2): checks the arguments, sends the request, says how it ended.
 * @throws ProtocolError for a throttle, where the host asked for that; the caller's own reason where it cancelled
 */
export async function callTool(
  { name, operation }: Tool,
  args: Readonly<Record<string, unknown>>,
  settings: CallSettings,
  sending: Sending,
): Promise<CallToolResult> {
  let sent: Awaited<ReturnType<typeof send>>
  try {
    await checkArguments(operation, args)
    const request = requestOf(operation, args, { baseUrl: settings.baseUrl })
    sending.signal.throwIfAborted()
    sent = await send(operation, request, settings, sending)
  } catch (error) {
    if (!(error instanceof ArgumentError || error instanceof CredentialError)) throw error
    const about = error instanceof CredentialError ? 'the token: ' : ''
    return { ...said(`${name} was not called: ${about}${error.message}`), isError: true }
  }
  settings.onEnd?.({ tool: name, end: sent.end })
  if (sent.end.kind === 'aborted') throw sending.signal.reason // nobody listens any more
  const result =
    sent.end.kind === 'ok' && sent.answer
      ? resultOf(sent.answer, { operation, maxChars: settings.maxChars })
      : failureResult(
          name,
          sent,
          settings,
          operation.security.some((schemes) => schemes.length > 0),
        )
  return redact(result, secretsOf(settings))
}

/** What no answer may tell: the token, and the values of headers that carry something of the kind. */
function secretsOf({ token, headers }: CallSettings): string[] {
  const given = [...headers].filter(([name]) => /auth|token|key|secret|cookie|session/i.test(name))
  return [...(token === null ? [] : [token]), ...given.flatMap(([, value]) => [value, value.replace(/^\S+\s+/, '')])]
}
