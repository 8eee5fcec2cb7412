/** What a server can and what it cannot, by its version. Those before 21 are met in Debian (18.16). */
export interface ServerVersion {
  readonly text: string
  /** Parameters are bound by the server; bodies that end early are refused; blocks are known by tokens. */
  readonly isCurrent: boolean
}

/** @param text `26.7.1.1`, or `18.16.1` */
export function serverVersion(text: string): ServerVersion {
  return { text, isCurrent: Number.parseInt(text, 10) >= 21 }
}
