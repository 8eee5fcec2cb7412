import { errorOf, type FailedResult } from './error-of.js'

/** What a generated method resolves with. */
export interface Result extends FailedResult {
  data?: unknown
}

/**
 * The data of a success: `const pipes = await unwrap(client.listPipes())`.
 *
 * @param result what a method of the client returned, or the promise of it
 * @throws ApiError; where the caller aborted the call, the signal's reason itself
 */
export async function unwrap<R extends Result>(result: R | Promise<R>): Promise<Exclude<R['data'], undefined>> {
  const { data, ...rest } = await result
  if (rest.error !== undefined) throw errorOf(rest)
  return data as Exclude<R['data'], undefined> // there is no error, so it is there
}
