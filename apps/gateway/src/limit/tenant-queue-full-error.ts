/** A query was refused at once: as many of its tenant wait for the node as one may have waiting. Nothing was sent. */
export class TenantQueueFullError extends Error {
  override readonly name = 'TenantQueueFullError'

  /** @param most queries of one tenant that may wait */
  constructor(readonly most: number) {
    super(`${most} queries of this tenant wait for the node already, which is all that it may have waiting.`)
  }
}
