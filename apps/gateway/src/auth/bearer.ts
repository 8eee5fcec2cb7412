/**
 * The token in an Authorization header (RFC 6750, section 2.1), or undefined when there is none or it is malformed.
 * The scheme's case does not matter (RFC 9110, section 11.1).
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization ?? '')?.[1]
}
