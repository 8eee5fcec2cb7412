import { setTimeout as sleep } from 'node:timers/promises'
import { within } from '../../within.js'
import { EngineError } from '../engine-error.js'
import { literal } from '../sql/literal.js'

/** A kill that came before the server had begun the query finds nothing: it is repeated until the query ends. */
const KILL_AGAIN_MS = 200
/** One that is not answered says nothing. */
const KILL_TIMEOUT_MS = 2000

/** A request that was killed is answered within this, if its connection still carries anything. */
export const ANSWER_AFTER_KILL_MS = 2000

/** Runs a statement; its rows do not matter. */
export type Run = (sql: string, signal: AbortSignal) => Promise<unknown>

/**
 * Kills queries of which the id begins so. ASYNC: waiting for their end here could take for ever. That a query cannot be
 * killed where it is (380, of old servers) is an answer too: it ends by itself.
 * @throws the signal's reason; an error where the server does not answer
 */
export async function kill(run: Run, idPrefix: string, signal?: AbortSignal): Promise<void> {
  const sql = `KILL QUERY WHERE position(query_id, ${literal(idPrefix)}) = 1 ASYNC`
  try {
    await within(KILL_TIMEOUT_MS, new Error('the kill was not answered'), (late) => run(sql, late), signal)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
  }
}

/** Kills a query again and again until it has ended. */
export async function killUntil(run: Run, idPrefix: string, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await kill(run, idPrefix).catch(() => undefined) // tried again below
    await sleep(KILL_AGAIN_MS, undefined, { signal: ended }).catch(() => undefined) // it has ended
  }
}
