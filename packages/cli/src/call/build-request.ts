import { type ApiRequest, ArgumentError, requestOf } from '@sluice/openapi'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'
import { type GivenBody, givenBody, isJsonType } from './body.js'
import { readGiven, withArgs } from './given.js'
import { fieldForm, type Input, keyParameter } from './inputs.js'
import type { AskedCall } from './make-call.js'
import { asWritten } from './read-value.js'

/**
 * The request that the command line describes, and its body in the form in which it is sent.
 * @throws UsageError that names the flag which is missing or wrong
 */
export async function buildRequest(
  world: World,
  { operation, options, inputs, written }: AskedCall,
  baseUrl: string,
  mostBytes: number,
): Promise<{ readonly request: ApiRequest; readonly body: BodyInit | null }> {
  const all = await withArgs(written, inputs, options.arg ?? [], operation)
  const args = await readGiven(operation, inputs, all, options.body !== undefined)
  const body: GivenBody | null =
    options.body === undefined ? null : await givenBody(world, operation, options.body, options.bodyType, mostBytes)
  const contentType = body === null ? fieldForm(operation, options.bodyType) : body.contentType
  try {
    // The key is a header of ours, made or given; the reader would miss it.
    const key = keyParameter(operation)
    const request = requestOf(
      { ...operation, parameters: operation.parameters.filter((parameter) => parameter !== key) },
      { ...args, ...(body !== null && { body: body.value }) },
      { baseUrl, ...(args.body === undefined && body === null ? {} : { contentType }) },
    )
    const asTyped = body?.text != null && isJsonType(request.headers['content-type'] ?? '')
    // As text fetch would add a Content-Type where there is none.
    return { request, body: asTyped ? new TextEncoder().encode(body.text) : request.body }
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error
    throw new UsageError(inOurWords(error, inputs))
  }
}

/** The reader names an argument; a person gave a flag. */
function inOurWords({ parameter, message }: ArgumentError, inputs: readonly Input[]): string {
  const input = inputs.find(({ name }) => name === parameter)
  const flag = { baseUrl: '--base-url', contentType: '--body-type', body: '--body' }[parameter]
  const written = input === undefined ? flag : asWritten(input)
  return written === undefined ? message : message.replace(parameter, () => written)
}
