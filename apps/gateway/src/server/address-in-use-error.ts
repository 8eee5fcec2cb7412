/** The port is taken by another process. */
export class AddressInUseError extends Error {
  override readonly name = 'AddressInUseError'
  readonly code = 'EADDRINUSE'

  constructor(
    readonly host: string,
    readonly port: number,
  ) {
    super(`Port ${port} on ${host} is in use by another process. Choose another port, or 0 for any free one.`)
  }
}
