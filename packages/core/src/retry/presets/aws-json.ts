import type { Classify } from '../failure.js'
import { type RetryPolicy, retryPolicy } from '../policy.js'
import { interactive } from './interactive.js'
import { jsonObject } from './json-object.js'

const THROTTLES =
  /^(BandwidthLimitExceeded|EC2ThrottledException|LimitExceededException|PriorRequestNotComplete|ProvisionedThroughputExceededException|RequestLimitExceeded|RequestThrottled(Exception)?|SlowDown|ThrottledException|Throttling(Exception)?|TooManyRequestsException|TransactionInProgressException)$/
const TRANSIENTS = /^(RequestTimeout(Exception)?|InternalError|IDPCommunicationError)$/

const classify: Classify = async ({ status, headers }, peek) => {
  let named: unknown = headers.get('x-amzn-errortype')
  if (named === null) {
    const { __type, code } = jsonObject(await peek())
    named = typeof __type === 'string' ? __type : code
  }
  // `com.amazonaws.dynamodb.v20120810#ThrottlingException:http://…` names ThrottlingException.
  const [head = ''] = typeof named === 'string' ? named.split(':') : []
  const name = head.slice(head.indexOf('#') + 1)
  const stated = headers.get('x-amz-retry-after') ?? ''
  const waitMs = /^\d+$/.test(stated) ? Math.min(Number(stated), Number.MAX_SAFE_INTEGER) : null
  if (THROTTLES.test(name) || status === 429) return { class: 'throttle', waitMs }
  if (TRANSIENTS.test(name) || /^50[0234]$/.test(`${status}`)) return { class: 'transient', waitMs }
}

/**
 * AWS services with the JSON protocols (DynamoDB, Kinesis, CloudWatch Logs, …): throttles are a 400 whose error type
 * says so. Every call is a POST: mark reads (`GetItem`, `Query`, …) `idempotent`, or only throttles are retried.
 *
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
 */
export const awsJson: RetryPolicy = /* @__PURE__ */ retryPolicy(
  { baseMs: 1000, transientStatuses: [500, 502, 503, 504], classify },
  interactive,
)
