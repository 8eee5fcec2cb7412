import type { ToolAnnotations } from '@modelcontextprotocol/server'
import { isSafeToRepeat } from '@sluice/core'
import type { Operation, OperationSummary } from '@sluice/openapi'

/** Whether an operation only reads, as far as its method tells. */
export const readsOnly = ({ method }: Pick<OperationSummary, 'method'>): boolean => /^(GET|HEAD)$/i.test(method)

/**
 * What a host may know before it calls. A document does not tell a write that adds from one that destroys: every
 * writing tool is announced as destructive.
 */
export function annotationsOf(operation: Operation): ToolAnnotations {
  const readOnlyHint = readsOnly(operation)
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint,
    idempotentHint: isSafeToRepeat(operation.method, false, operation.retry.idempotent ?? false),
    openWorldHint: true,
  }
}
