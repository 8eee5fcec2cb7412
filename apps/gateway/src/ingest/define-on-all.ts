import { NodeUnavailableError } from '../nodes/node-unavailable-error.js'
import { QueryTimeoutError } from '../nodes/query-timeout-error.js'
import { SchemaConflictError } from '../nodes/schema-conflict-error.js'
import { within } from '../within.js'
import type { DataSource } from './data-source.js'
import type { DefiningNode } from './defining-node.js'

/**
 * Makes the table of a data source on all nodes that are up, or else on all that there are. One that cannot be reached has it
 * made before its first block, and nobody waits for it now.
 * @throws SchemaConflictError where a node has another table of that name; where no node has it now: what the first said
 */
export async function defineOnAll(all: readonly DefiningNode[], source: DataSource, timeoutMs: number): Promise<void> {
  const up = all.filter(({ state }) => state === 'up')
  const nodes = up.length > 0 ? up : all
  const outcomes = await within(timeoutMs, new QueryTimeoutError(timeoutMs), (late) =>
    Promise.allSettled(nodes.map((node) => node.define(source, late))),
  )
  const errors = outcomes.flatMap((it) => (it.status === 'rejected' ? [it.reason] : []))
  const conflict = errors.find((it) => it instanceof SchemaConflictError)
  if (conflict !== undefined) throw conflict
  if (errors.length < nodes.length) return
  throw errors[0] ?? new NodeUnavailableError('There is no node.', 1000)
}
