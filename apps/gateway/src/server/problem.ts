import type { Context } from 'hono'
import type { Body, ProblemStatus } from './contract.js'
import type { GatewayEnv } from './env.js'

/** Problem details (RFC 9457). `kind` becomes the type `urn:sluice:problem:<kind>`. */
export interface Problem {
  readonly status: ProblemStatus
  readonly kind: string
  readonly title: string
  /** What happened to this request and what to do about it. Never SQL, never a token. */
  readonly detail: string
  readonly headers?: Readonly<Record<string, string>>
  /** Members of its own, such as `errors`. */
  readonly members?: Pick<Body['Problem'], 'errors' | 'query_id' | 'clickhouse_code'>
}

/** Answers with application/problem+json. */
export function problem(c: Context<GatewayEnv>, it: Problem): Response {
  for (const [name, value] of Object.entries(it.headers ?? {})) c.header(name, value)
  const body = {
    type: `urn:sluice:problem:${it.kind}`,
    title: it.title,
    status: it.status,
    detail: it.detail,
    ...it.members,
  } satisfies Body['Problem']
  return c.body(JSON.stringify(body), it.status, { 'content-type': 'application/problem+json' })
}
