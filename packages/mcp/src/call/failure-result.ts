import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/server'
import { type End, messageOf } from '@sluice/core/words'
import { said, start } from '../answer/result-of.js'
import type { Sent } from './send.js'
import type { CallSettings } from './settings.js'
import { THROTTLE_META, THROTTLED_CODE, throttleOf, throttleText } from './throttle.js'

/** An error's body is read for its reason; whole pages are not. */
const MOST_BODY = 10_000

/**
 * The result of a call that failed (S2).
 * @throws ProtocolError for a throttle, where the host asked for that
 */
export function failureResult(
  tool: string,
  { end, answer }: Sent,
  { errorMode, maxChars, token }: Pick<CallSettings, 'errorMode' | 'maxChars' | 'token'>,
  isSecured: boolean,
): CallToolResult {
  if (end.kind === 'throttled') {
    const throttle = throttleOf(end)
    const text = throttleText(tool, throttle)
    const { httpStatus: http_status, retryAfterMs, attempts } = throttle
    if (errorMode === 'protocol') throw new ProtocolError(THROTTLED_CODE, text, { retryAfterMs, http_status, attempts })
    return { ...said(text), isError: true, _meta: { [THROTTLE_META]: { ...throttle } } }
  }
  const words = messageOf({ ...end, title: answer?.title ?? end.title })
  const text = `${tool} failed: ${words}${refusal(end, token, isSecured)}`
  const body = answer?.text ?? ''
  const longest = Math.min(maxChars, MOST_BODY)
  const shown = body.length > longest ? `${start(body, longest)}…` : body
  return { ...(shown === '' ? said(text) : said(text, shown)), isError: true }
}

const refusal = ({ status, kind }: End, token: string | null, isSecured: boolean): string => {
  if (status !== 401 || kind !== 'status') return ''
  if (token !== null) return '; the token was refused: check SLUICE_TOKEN'
  return isSecured ? '; it wants a token, and none is set: give it in SLUICE_TOKEN' : ''
}
