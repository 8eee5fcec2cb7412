import { extname } from 'node:path'
import type { Operation } from '@sluice/openapi'
import { readBody } from '../request/read-body.js'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'

/** What `--body` was given: a value for `requestOf`, and how it is to be sent. */
export interface GivenBody {
  readonly value: unknown
  readonly contentType: string | undefined
  /** JSON that was written on the command line: sent as it stands, with its digits and the order of its members. */
  readonly text: string | null
}

/**
 * Reads `--body`: text on the command line is JSON wherever it is, files and stdin are sent as they are.
 *
 * @param mostBytes how much of a pipe is kept (R13)
 * @throws UsageError that names what cannot be read
 */
export async function givenBody(
  world: World,
  operation: Operation,
  body: string,
  wanted: string | undefined,
  mostBytes: number,
): Promise<GivenBody> {
  if (operation.body === null) throw new UsageError(`--body: ${operation.id} takes no body`)
  if (body === '-' || body.startsWith('@')) {
    const value = await readBody(body, world.stdin, mostBytes, world.signal, '--body')
    return { value, contentType: wanted ?? typeByName(operation, body), text: null }
  }
  const types = operation.body.content.map(({ contentType }) => contentType)
  try {
    return { value: JSON.parse(body), contentType: wanted, text: body }
  } catch (error) {
    // Where nothing is structured a text is a text.
    if (wanted === undefined ? !types.some(isJsonType) : !isJsonType(wanted))
      return { value: body, contentType: wanted, text: null }
    const remedy = types.every(isJsonType) ? '' : `; for another form name its --body-type: ${types.join(', ')}`
    throw new UsageError(`--body: this is not JSON: ${(error as SyntaxError).message}${remedy}`)
  }
}

export const isJsonType = (type: string): boolean => /^application\/([\w.-]+\+)?json\b/i.test(type)

/** By the ending of a file's name, where the operation takes a type of that name. */
function typeByName({ body }: Operation, given: string): string | undefined {
  const ending = extname(given).slice(1).toLowerCase()
  if (ending === '') return undefined
  const type = ending === 'jsonl' ? 'ndjson' : ending === 'yml' ? 'yaml' : ending === 'jpg' ? 'jpeg' : ending
  const types = body?.content.map(({ contentType }) => contentType) ?? []
  return types.find((one) =>
    new RegExp(`/([\\w.-]+\\+|x-)?${type.replace(/\W/g, '')}$`, 'i').test(one.replace(/;.*/, '').trim()),
  )
}
