import Stripe from 'stripe'
import type { Call, Client } from '../client.js'

const through =
  (options: { maxNetworkRetries?: number }): Call =>
  async ({ url, method, headers, body }) => {
    const { hostname, port, pathname } = new URL(url)
    const client = new Stripe('sk_test_none', { host: hostname, port, protocol: 'http', telemetry: false, ...options })
    const key = headers['idempotency-key']
    try {
      const answer = await client.rawRequest(
        method,
        pathname,
        body === undefined ? {} : JSON.parse(body),
        key === undefined ? {} : { idempotencyKey: key },
      )
      return { status: answer.lastResponse.statusCode, retryAfter: null, body: JSON.stringify(answer) }
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError) || error.statusCode === undefined) throw error
      return {
        status: error.statusCode,
        retryAfter: error.headers?.['retry-after'] ?? null,
        body: JSON.stringify(error.raw ?? null),
      }
    }
  }

const README = 'https://github.com/stripe/stripe-node/blob/master/README.md#network-retries'

export const client: Client = {
  about: {
    id: 'stripe',
    name: 'stripe',
    packages: ['stripe'],
    docs: [README, 'https://docs.stripe.com/error-low-level', 'https://docs.stripe.com/rate-limits'],
    dialect: 'stripe',
    notes: [
      'Called by `rawRequest()`. It makes an Idempotency-Key for each POST by itself. Failures carry bodies of the form that Stripe sends.',
    ],
    choices: [
      {
        probes: ['stated-get', 'stated-post', 'zero', 'unstated'],
        finding: 'not-retried',
        says: 'A 429 is not retried unless the service says so in Stripe-Should-Retry; the documentation leaves the retry of a rate limit to the application.',
        source: 'https://docs.stripe.com/rate-limits#handling-limiting-gracefully',
      },
    ],
    notApplicable: [{ probes: ['abort'], why: 'It takes no AbortSignal.' }],
  },
  configurations: {
    defaults: { setup: "new Stripe('sk_…')", call: through({}) },
    best: { setup: "new Stripe('sk_…', { maxNetworkRetries: 3 })", call: through({ maxNetworkRetries: 3 }) },
  },
}
