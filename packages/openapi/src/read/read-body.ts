import type { FieldEncoding, MediaType, RequestBody } from '../model/operation.js'
import { Broken, child, kindOf, members, type Place, type RecordPlace, record, text } from './place.js'
import type { Reading } from './reading.js'
import { resolve } from './resolve.js'

/** The body that an operation takes, null where it takes none, and the schemas that it refers to. */
export function readBody(
  reading: Reading,
  place: Place,
  method: string,
): { readonly body: RequestBody | null; readonly refs: ReadonlySet<string> } {
  const refs = new Set<string>()
  if (place.value === undefined || place.value === null) return { body: null, refs }
  const at = record(resolve(reading.root, place), 'requestBody')
  const content = members(child(at, 'content'), 'content').map(([contentType, one]): MediaType => {
    const media = record(resolve(reading.root, one), 'a media type')
    const { schema, refs: found } = reading.book.translate(child(media, 'schema'))
    for (const ref of found) refs.add(ref)
    return { contentType, schema, encoding: readEncoding(media) }
  })
  if (method === 'GET' || method === 'HEAD') {
    reading.note(place, `a ${method} request has no body: this one is left out`)
    return { body: null, refs: new Set() }
  }
  if (content.length === 0) {
    reading.note(at, 'the body has no content: it is left out')
    return { body: null, refs: new Set() }
  }
  return { body: { required: at.value.required === true, description: text(child(at, 'description')), content }, refs }
}

const STYLES = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const

function readEncoding(media: RecordPlace): MediaType['encoding'] {
  return Object.fromEntries(
    members(child(media, 'encoding'), 'encoding').map(([field, place]): [string, FieldEncoding] => {
      const at = record(place, 'an encoding')
      const { contentType, explode, allowReserved } = at.value
      const style = child(at, 'style')
      const known = STYLES.find((one) => one === style.value)
      if (style.value !== undefined && known === undefined)
        throw new Broken(style, `style must be ${STYLES.join(' or ')}; got ${kindOf(style.value)}`)
      // Either of the three says that it is written as a query parameter would be.
      const styled = known ?? (explode !== undefined || allowReserved !== undefined ? 'form' : null)
      return [
        field,
        {
          contentType: typeof contentType === 'string' ? contentType : null,
          style: styled,
          explode: typeof explode === 'boolean' ? explode : styled === 'form' || styled === 'deepObject',
          allowReserved: allowReserved === true,
        },
      ]
    }),
  )
}
