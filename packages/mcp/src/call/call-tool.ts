import type { CallToolResult } from '@modelcontextprotocol/server'
import { ArgumentError, CredentialError, checkArguments, redact, requestOf } from '@sluice/openapi'
import type { Answer } from '../answer/read-answer.js'
import { resultOf, said } from '../answer/result-of.js'
import { isTooDeep } from '../answer/too-deep.js'
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
  if (isTooDeep(args)) return { ...said(`${name} was not called: its arguments are nested too deeply`), isError: true }
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
  const secrets = secretsOf(settings)
  // Before it is cut: half a secret would not be found.
  const answer = sent.answer && withoutSecrets(sent.answer, secrets)
  const result =
    sent.end.kind === 'ok' && answer
      ? resultOf(answer, { operation, maxChars: settings.maxChars })
      : failureResult(
          name,
          { end: sent.end, answer },
          settings,
          operation.security.some((schemes) => schemes.length > 0),
        )
  // Once more: JSON may have written it with escapes. Bytes in base64 hold none any more.
  return answer?.text === null ? result : redact(result, secrets)
}

function withoutSecrets(answer: Answer, secrets: readonly string[]): Answer {
  if (answer.text !== null) return { ...answer, ...redact({ text: answer.text, title: answer.title }, secrets) }
  const { buffer, byteOffset, byteLength } = answer.bytes
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('latin1') // a character a byte
  const title = redact(answer.title, secrets)
  return { ...answer, title, bytes: Buffer.from(redact(text, secrets), 'latin1') }
}

/** What no answer may tell: the token, and the values of headers that carry something of the kind. */
function secretsOf({ token, headers }: CallSettings): string[] {
  const given = [...headers].filter(([name]) => /auth|token|key|secret|cookie|session/i.test(name))
  return [...(token === null ? [] : [token]), ...given.flatMap(([, value]) => [value, value.replace(/^\S+\s+/, '')])]
}
