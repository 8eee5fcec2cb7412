import type { ResponseInfo } from '../model/operation.js'
import { child, members, type Place, record, text } from './place.js'
import { resolve } from './resolve.js'

/** The described answers by status. */
export function readResponses(root: unknown, place: Place): { readonly [status: string]: ResponseInfo } {
  return Object.fromEntries(
    members(place, 'responses').map(([status, one]): [string, ResponseInfo] => {
      const at = record(resolve(root, one), `the response ${status}`)
      const contentTypes = members(child(at, 'content'), 'content').map(([contentType]) => contentType)
      return [status, { description: text(child(at, 'description')), contentTypes }]
    }),
  )
}
