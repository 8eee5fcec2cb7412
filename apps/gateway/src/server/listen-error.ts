const REMEDIES: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'it is no address of this machine. Name one of its own, 127.0.0.1, or 0.0.0.0 for all',
  ENOTFOUND: 'there is no host of that name. Name an address of this machine, such as 127.0.0.1',
  EAI_AGAIN: 'no name server says what that is. Name an address of this machine, such as 127.0.0.1',
  EACCES: 'this user may not use that port. Choose one above 1023, and put a proxy before it',
}

/** It cannot listen where it was told to, for another reason than that the port is taken. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  /** As the system has it: `EADDRNOTAVAIL`. */
  readonly code: string

  constructor(
    readonly host: string,
    readonly port: number,
    cause: NodeJS.ErrnoException,
  ) {
    const { code = '' } = cause
    const remedy = REMEDIES[code] ?? `${cause.message}. Name another host or port`
    super(`Cannot listen on host ${host}, port ${port} (${code}): ${remedy}.`, { cause })
    this.code = code
  }
}
