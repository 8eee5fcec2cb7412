import type { Tool as ToolDescription } from '@modelcontextprotocol/server'
import { type ApiDocument, inputSchema, type Operation } from '@sluice/openapi'
import { withoutCredentials } from '../call/credentials.js'
import { UsageError } from '../usage-error.js'
import { annotationsOf } from './annotations.js'
import { describe, titleOf } from './describe.js'
import { isEventStream } from './event-stream.js'
import { type Selection, select } from './select.js'

/** An operation as a tool. */
export interface Tool {
  readonly name: string
  /** Without the parameters that a credential goes into, and those that the user has set. */
  readonly operation: Operation
  readonly description: ToolDescription
}

/** The tools of a document, and what was left out of it and why. */
export interface Tools {
  readonly tools: ReadonlyMap<string, Tool>
  /** One line each. */
  readonly leftOut: readonly string[]
}

/**
 * Makes tools out of a document's operations.
 * @param headers what every request carries: no tool takes an argument for them
 * @throws UsageError where the selection cannot be met
 */
export async function toolsOf(document: ApiDocument, selection: Selection, headers: Headers): Promise<Tools> {
  const tools = new Map<string, Tool>()
  const leftOut: string[] = []
  for (const { name, operation: summary } of select(document, selection)) {
    const operation = withoutCredentials(await document.operation(summary.id), headers)
    if (isEventStream(operation)) leftOut.push(`${summary.id}: answers with an event stream, which has no end`)
    else tools.set(name, { name, operation, description: descriptionOf(name, operation) })
  }
  if (tools.size === 0) throw new UsageError(`no tool is left to offer: ${leftOut.join('; ')}`)
  return { tools, leftOut }
}

const descriptionOf = (name: string, operation: Operation): ToolDescription => {
  const title = titleOf(operation)
  return {
    ...{ name, title, description: describe(operation) },
    // inputSchema() answers a schema of type object; its type is JSON Schema's, which is wider.
    inputSchema: inputSchema(operation) as ToolDescription['inputSchema'],
    annotations: { title, ...annotationsOf(operation) },
  }
}
