import type { Context } from 'hono'
import type { LimitedNode } from '../limit/limited-node.js'
import type { NodeAnswer } from '../nodes/node.js'
import { checkParameters, describeIssues } from '../pipes/check-parameters.js'
import type { PipeRegistry } from '../pipes/registry.js'
import { ClientGoneError } from './client-gone-error.js'
import type { GatewayEnv } from './env.js'
import { problem } from './problem.js'

/** What a pipe needs to run. */
export interface RunPipeOptions {
  readonly pipes: PipeRegistry
  readonly limited: LimitedNode
  readonly readTimeoutMs: number
}

/** `GET /v1/pipes/{name}`: checks the parameters, runs the query in a slot, kills it when the client leaves. */
export async function runPipe(c: Context<GatewayEnv>, name: string, options: RunPipeOptions): Promise<Response> {
  const pipe = options.pipes.find(name)
  if (pipe === undefined) {
    return problem(c, {
      status: 404,
      kind: 'unknown-pipe',
      title: 'No such pipe',
      detail: `There is no pipe "${name.slice(0, 64)}". There are: ${options.pipes.names.join(', ')}.`,
    })
  }
  const checked = checkParameters(pipe, new URL(c.req.url).searchParams)
  if (!checked.ok) {
    return problem(c, {
      status: 400,
      kind: 'bad-parameters',
      title: 'Bad parameters',
      detail: describeIssues(checked.issues),
      members: { errors: checked.issues },
    })
  }
  const { readTimeoutMs: timeoutMs, limited } = options
  const { signal } = c.req.raw
  let answer: NodeAnswer
  try {
    const query = { sql: pipe.sql, params: checked.values, timeoutMs, signal }
    answer = await (pipe.pastLimit ? limited.queryPastLimit(query) : limited.query(query))
  } catch (error) {
    if (signal.aborted) throw new ClientGoneError()
    throw error
  }
  c.header('Server-Timing', `elapsed;dur=${answer.elapsedMs.toFixed(3)}, node;dur=${answer.nodeElapsedMs.toFixed(3)}`)
  return c.body(answer.body, 200, { 'content-type': 'application/json' })
}
