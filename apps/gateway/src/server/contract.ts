import type { components, operations } from '../contract.gen.js'

/**
 * Bodies as the published description of the API (spec/openapi.yaml) has them, by the names of its schemas. What handlers
 * answer is checked against these at compile time; `npm run contract` makes them anew.
 */
export type Body = components['schemas']

type Described = { [Id in keyof operations]: keyof operations[Id]['responses'] }[keyof operations]

/** The statuses that some operation answers with a problem; 408 is Node's own and has no body. */
export type ProblemStatus = Exclude<Described, 200 | 201 | 202 | 204 | 408>

/** What `GET /v1/status` answers, and its stream with each event. */
export type GatewayStatus = Body['Status']
