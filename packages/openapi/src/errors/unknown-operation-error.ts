/** A document has no operation of this id. */
export class UnknownOperationError extends Error {
  readonly id: string
  /** Up to three ids that are alike, the nearest first. */
  readonly nearest: readonly string[]

  constructor(id: string, nearest: readonly string[]) {
    super(`no operation ${id} in this document${nearest.length === 0 ? '' : `; did you mean ${nearest.join(', ')}?`}`)
    this.name = 'UnknownOperationError'
    this.id = id
    this.nearest = nearest
  }
}
