import { nearest } from '../../errors/nearest.js'

/** A part was asked for by a tag that no operation of the document carries. */
export class UnknownTagError extends Error {
  readonly tag: string

  constructor(tag: string, known: readonly string[]) {
    const alike = nearest(tag, known)
    const remedy = alike.length > 0 ? `did you mean ${alike.join(', ')}?` : `there are ${listed(known)}`
    super(
      known.length === 0
        ? `no operation of this document has a tag; got ${tag}`
        : `no operation of this document has the tag ${tag}; ${remedy}`,
    )
    this.name = 'UnknownTagError'
    this.tag = tag
  }
}

const MANY = 12

const listed = (names: readonly string[]): string =>
  names.length <= MANY ? names.join(', ') : `${names.slice(0, MANY).join(', ')} and ${names.length - MANY} more`
