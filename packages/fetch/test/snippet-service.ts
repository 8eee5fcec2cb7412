import type { ServerResponse } from 'node:http'
import { answer } from './recipes/answer.js'
import { serve, type TestServer } from './server.js'

/** A service of the recipes: what it answers, and how it refuses. */
interface Service {
  success: unknown
  refusal: unknown
  /** Refused for a moment. Default: a 429 that states 20 ms. */
  briefly?: Record<string, string>
  /** Refused for a minute. Default: a 429 that states it. */
  forAMinute?: { status: number; headers: Record<string, string> }
}

/** By the start of the path. */
const SERVICES: Record<string, Service> = {
  '/v1/responses': {
    success: { object: 'response', output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello!' }] }] },
    refusal: { error: { message: 'Rate limit reached for gpt-5', type: 'tokens', code: 'rate_limit_exceeded' } },
  },
  '/v1/customers': {
    success: { object: 'customer', id: 'cus_1' },
    refusal: { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded' } },
  },
  '/repos/': {
    success: { full_name: 'octocat/hello-world' },
    refusal: { message: 'You have exceeded a secondary rate limit' },
    forAMinute: { status: 403, headers: {} }, // as GitHub has it: no wait is stated
  },
  '/orders': { success: { id: 1, item: 'tea' }, refusal: { title: 'Too many requests' } },
}
/** At any other path: what the READMEs talk to. */
const HELLO: Service = {
  success: { hello: 'world' },
  refusal: { title: 'Too many requests' },
  briefly: { 'retry-after': '1' },
}

const serviceOf = (path: string): Service =>
  Object.entries(SERVICES).find(([start]) => path.startsWith(start))?.[1] ?? HELLO

const refuseBriefly = ({ refusal, briefly = { 'retry-after-ms': '20' } }: Service, response: ServerResponse): void =>
  answer(response, 429, refusal, briefly)

const SCENARIOS: Record<string, (service: Service, response: ServerResponse, nth: number) => void> = {
  /** The first request is throttled for a moment, everything after it succeeds. */
  recovers(service, response, nth) {
    if (nth === 1) refuseBriefly(service, response)
    else answer(response, 200, service.success)
  },
  /** Throttled for a minute: longer than a person waits. */
  throttled({ refusal, forAMinute = { status: 429, headers: { 'retry-after': '60' } } }, response) {
    answer(response, forAMinute.status, refusal, forAMinute.headers)
  },
  /** Throttled for a moment, and again, to the last attempt. */
  busy: refuseBriefly,
}

/** The service that a snippet talks to, in one of its moods. */
export function serveSnippet(scenario: string): Promise<TestServer> {
  const mood = SCENARIOS[scenario]
  if (!mood) throw new Error(`no scenario is called ${scenario}; there are: ${Object.keys(SCENARIOS).join(', ')}`)
  return serve((nth, response, { path }) => mood(serviceOf(path), response, nth))
}
