import type { Comparison } from './mismatch.js'
import type { Play, Played } from './play.js'

/** What holds of every call, whatever its table says. Answers false where there is no end to compare further. */
export function compareInvariants(compare: Comparison, call: Play, played: Played): boolean {
  const wanted = new Request(call.request.url, { method: call.request.method })
  for (const [i, send] of played.sends.entries()) {
    const at = `send ${i + 1}`
    compare.equal(`${at} method`, wanted.method, send.method)
    compare.equal(`${at} url`, wanted.url, send.url)
    for (const [name, value] of Object.entries(call.request.headers)) {
      compare.equal(`${at} header ${name}`, value.trim(), send.headers[name.toLowerCase()])
    }
    // R13: what is sent again is what was sent first.
    const first = played.sends[0]?.body
    if (i > 0 && first !== null && send.body !== null) compare.equal(`${at} body`, first, send.body)
  }
  if (played.problem !== null || played.ended === null) {
    compare.fail('call', 'an outcome', played.problem ?? 'no outcome')
    return false
  }
  compare.equal('sends in flight after the call', 0, played.inFlight)
  // R11: whatever way a call ends, its timers are cleared.
  compare.equal('timers left after the call', 0, played.timersLeft)
  const { ended } = played
  // R14: an abort rejects with the caller's own reason, which carries no count.
  if ('outcome' in ended && ended.outcome !== 'aborted') compare.equal('attempts', played.sends.length, ended.attempts)
  return true
}
