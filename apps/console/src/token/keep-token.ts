const KEY = 'sluice-console-token'

/** As much of a window as a token needs. */
export type TokenPlace = Pick<Window, 'location' | 'history' | 'sessionStorage'>

/** Whether a gateway can have such a token (RFC 6750, section 2.1). What is none may not even fit in a header. */
export const canBeToken = (text: string): boolean => /^[A-Za-z0-9._~+/-]+=*$/.test(text)

/**
 * The token of the address's fragment (`#token=…`), which is never sent to a server, or else the one that this tab keeps.
 * A fragment is taken out of the address at once, so that it is neither seen nor copied, and going back does not lead to it.
 */
export function takeToken({ location, history, sessionStorage }: TokenPlace): string | null {
  const given = tokenOf(location.hash)
  if (given === null) return sessionStorage.getItem(KEY)
  history.replaceState(null, '', location.pathname + location.search)
  if (given === '') sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, given)
  return given || null
}

export const keepToken = ({ sessionStorage }: TokenPlace, token: string): void => sessionStorage.setItem(KEY, token)
export const forgetToken = ({ sessionStorage }: TokenPlace): void => sessionStorage.removeItem(KEY)

/** As it is written, or percent-encoded. No `URLSearchParams`, which would take a plus for a space. */
function tokenOf(fragment: string): string | null {
  const [, written] = /^#(?:.*&)?token=([^&]*)/.exec(fragment) ?? []
  if (written === undefined) return null
  try {
    return decodeURIComponent(written)
  } catch {
    return written // no encoding, and so no token either
  }
}
