/** A token cannot be sent as an operation wants it. Nothing was sent; the message does not show the token. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError'
}
