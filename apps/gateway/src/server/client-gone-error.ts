/** The client closed its connection before the answer; its query is being killed. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'

  constructor() {
    super('The client left before the answer.')
  }
}
