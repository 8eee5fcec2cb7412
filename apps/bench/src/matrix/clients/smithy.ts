import {
  Command,
  ServiceException,
  Client as SmithyClient,
  type SmithyResolvedConfiguration,
} from '@smithy/core/client'
import { HttpRequest, HttpResponse } from '@smithy/core/protocols'
import { getRetryPlugin, type RetryInputConfig, resolveRetryConfig } from '@smithy/core/retry'
import { getSerdePlugin } from '@smithy/core/serde'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { Answer, Ask, Call, Client } from '../client.js'

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** What generated code does with a status that is no success: a ServiceException with its metadata. */
class Failure extends ServiceException {
  readonly answer: Answer

  constructor(answer: Answer) {
    super({
      name: 'Failure',
      message: `HTTP ${answer.status}`,
      $fault: answer.status < 500 ? 'client' : 'server',
      $metadata: { httpStatusCode: answer.status },
    })
    this.answer = answer
  }
}

const serialize = async ({ url, method, headers, body }: Ask): Promise<HttpRequest> => {
  const { hostname, port, pathname } = new URL(url)
  return new HttpRequest({
    protocol: 'http:',
    hostname,
    port: Number(port),
    path: pathname,
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
}

const deserialize = async (response: unknown): Promise<{ $metadata: object; answer: Answer }> => {
  if (!HttpResponse.isInstance(response)) throw new TypeError('The handler gave no HttpResponse.')
  const { statusCode, headers, body } = response
  const answer = { status: statusCode, retryAfter: headers['retry-after'] ?? null, body: await textOf(body) }
  if (statusCode >= 300) throw new Failure(answer)
  return { $metadata: { httpStatusCode: statusCode }, answer }
}

const Request = Command.classBuilder<
  Ask,
  Awaited<ReturnType<typeof deserialize>>,
  SmithyResolvedConfiguration<object>
>()
  .m((_, __, config) => [getSerdePlugin(config, serialize, deserialize)])
  .s('Matrix', 'Request')
  .n('MatrixClient', 'RequestCommand')
  .build()

const through =
  (options: RetryInputConfig): Call =>
  async (ask) => {
    const config = resolveRetryConfig({
      ...options,
      apiVersion: '1',
      requestHandler: new NodeHttpHandler(),
      // The serializer asks for one, though serialize() above knows where it goes.
      endpoint: async () => ({ protocol: 'http:', hostname: '', path: '/' }),
      // What generated clients set from their configuration.
      retryMode: 'standard',
    })
    const client = new SmithyClient<object, Ask, Awaited<ReturnType<typeof deserialize>>, typeof config>(config)
    client.middlewareStack.use(getRetryPlugin(config))
    try {
      const { answer } = await client.send(new Request(ask), { abortSignal: ask.signal })
      return answer
    } catch (error) {
      if (error instanceof Failure) return error.answer
      throw error
    }
  }

const RETRIES = 'https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html'

export const client: Client = {
  about: {
    id: 'smithy',
    name: 'smithy (AWS SDK v3)',
    packages: ['@smithy/core', '@smithy/node-http-handler'],
    docs: [RETRIES, 'https://www.npmjs.com/package/@smithy/util-retry'],
    notes: [
      'The client, retry and serialisation middleware that AWS SDK v3 clients are generated on, put together here as generated code does it, since those clients take no address and method of ours. Whether a service adds something of its own is not seen.',
    ],
    choices: [
      {
        probes: ['unavailable-post', 'reset-post'],
        finding: 'repeated',
        says: 'Transient errors (500, 502, 503, 504, connection failures) are retried whatever the method: the protocols of AWS send nearly everything as POST.',
        source: RETRIES,
      },
    ],
    notApplicable: [
      {
        probes: ['body', 'told'],
        why: 'What the caller learns of the answer is what the generated deserialiser puts on its exception.',
      },
    ],
  },
  configurations: {
    defaults: { setup: 'new SomeClient({})', call: through({}) },
    best: { setup: 'new SomeClient({ maxAttempts: 4 })', call: through({ maxAttempts: 4 }) },
  },
}
