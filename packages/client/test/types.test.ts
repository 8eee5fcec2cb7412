import {
  type ApiError,
  ClientBuilder,
  type DataSourceList,
  isApiError,
  type PipeResult,
  type Problem,
  unwrap,
} from '@sluice/client'
import { expectTypeOf, test } from 'vitest'

const client = new ClientBuilder('http://a.test').fetch(async () => Response.json({})).build()

test('methods, results and what unwrap gives have the types of the document', async () => {
  const path = { name: 'delays' }
  expectTypeOf(await unwrap(client.runPipe({ path }))).toEqualTypeOf<PipeResult>()
  expectTypeOf(await unwrap(client.listDataSources())).toEqualTypeOf<DataSourceList>()
  expectTypeOf(await unwrap(client.listDataSources({ throwOnError: true }))).toEqualTypeOf<DataSourceList>()
  expectTypeOf(await unwrap(client.exportBacklog({ path }))).toEqualTypeOf<string>()
  const { data, error } = await client.listDataSources()
  expectTypeOf(data).toEqualTypeOf<DataSourceList | undefined>()
  if (error) expectTypeOf(error).toExtend<Problem>()
  const caught: unknown = null
  if (isApiError(caught)) expectTypeOf(caught).toEqualTypeOf<ApiError>()
})

test('what the document does not have is no type', () => {
  // @ts-expect-error a pipe has a name
  const missing = () => client.runPipe({})
  // @ts-expect-error there is no such operation
  const unknown = () => client.runPipes
  // @ts-expect-error a policy is made by retryPolicy()
  const policy = () => new ClientBuilder('http://a.test').retry({ maxAttempts: 2 })
  expectTypeOf([missing, unknown, policy]).toBeArray()
})
