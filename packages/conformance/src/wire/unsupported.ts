import type { Answer } from '../script/answer.js'
import type { CallScenario } from '../table/table.js'

/** Why a row cannot be played over a real socket, in a few words; null where it can. */
export function unsupportedReason(row: CallScenario): string | null {
  if (row.expect.policy_error !== undefined) return 'nothing is sent'
  if (row.abort_at_ms !== undefined) return 'an abort cannot be asked for'
  if (row.now !== undefined) return 'a wall clock cannot be handed over'
  if (row.random !== undefined) return 'draws cannot be handed over'
  return (row.answers ?? []).map(reasonOf).find((reason) => reason !== null) ?? null
}

function reasonOf(answer: Answer): string | null {
  if ('status' in answer) return answer.status < 200 ? `a server ends nothing with ${answer.status}` : null
  if (answer.failure === 'network:ECONNRESET') return null
  if (answer.failure === 'connect') return 'a server that listens refuses no connection'
  if (answer.failure !== 'timeout') return `a server cannot cause ${answer.failure}`
  return answer.after_ms === undefined ? null : 'a timeout of the transport cannot be scripted'
}
