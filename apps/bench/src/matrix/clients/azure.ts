import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineFromOptions,
  createPipelineRequest,
  type PipelineOptions,
  RestError,
} from '@azure/core-rest-pipeline'
import type { Answer, Call, Client } from '../client.js'

const through =
  (options: PipelineOptions): Call =>
  async ({ url, method, headers, body, signal }): Promise<Answer> => {
    const pipeline = createPipelineFromOptions(options)
    const request = createPipelineRequest({
      url,
      method,
      headers: createHttpHeaders({ 'content-type': 'application/json', ...headers }),
      abortSignal: signal,
      allowInsecureConnection: true,
      ...(body === undefined ? {} : { body }),
    })
    try {
      const answer = await pipeline.sendRequest(createDefaultHttpClient(), request)
      return {
        status: answer.status,
        retryAfter: answer.headers.get('retry-after') ?? null,
        body: answer.bodyAsText ?? null,
      }
    } catch (error) {
      const response = error instanceof RestError ? error.response : undefined
      if (!response) throw error
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after') ?? null,
        body: response.bodyAsText ?? null,
      }
    }
  }

const POLICY =
  'https://learn.microsoft.com/javascript/api/@azure/core-rest-pipeline/#@azure-core-rest-pipeline-defaultretrypolicy'

export const client: Client = {
  about: {
    id: 'azure',
    name: 'Azure core',
    packages: ['@azure/core-rest-pipeline'],
    docs: [POLICY, 'https://github.com/Azure/azure-sdk-for-js/tree/main/sdk/core/core-rest-pipeline#readme'],
    notes: ['The pipeline that the Azure SDKs are built on, made by `createPipelineFromOptions()`.'],
    choices: [
      {
        probes: ['unavailable-post', 'reset-post'],
        finding: 'repeated',
        says: 'The default policy retries transport errors and failed requests, whatever the method.',
        source: POLICY,
      },
      {
        probes: ['unstated', 'soon', 'empty'],
        finding: 'not-retried',
        says: 'A 429 is retried where it comes with a Retry-After header.',
        source: POLICY,
      },
    ],
  },
  configurations: {
    defaults: { setup: 'createPipelineFromOptions({})', call: through({}) },
    best: {
      setup: 'createPipelineFromOptions({ retryOptions: { maxRetries: 3 } })',
      call: through({ retryOptions: { maxRetries: 3 } }),
    },
  },
}
