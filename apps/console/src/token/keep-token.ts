const KEY = 'sluice-console-token'

/** As much of a window as a token needs. */
export type TokenPlace = Pick<Window, 'location' | 'history' | 'sessionStorage'>

/** The token that a tab keeps. */
export interface TabToken {
  /**
   * The token of the address's fragment (`#token=…`), which is never sent to a server, or else the one that is kept. A
   * fragment is taken out of the address at once, so that it is neither seen nor copied, and going back does not lead to it.
   */
  take(): string | null
  keep(token: string): void
  forget(): void
}

/** Whether a gateway can have such a token (RFC 6750, section 2.1). What is none may not even fit in a header. */
export const canBeToken = (text: string): boolean => /^[A-Za-z0-9._~+/-]+=*$/.test(text)

/** Keeps it in `sessionStorage`, or, where the browser forbids that or it is full, until the page is left. */
export function tabToken(place: TokenPlace): TabToken {
  const { location, history } = place
  let kept = unlessForbidden(() => place.sessionStorage.getItem(KEY))
  const keep = (token: string): void => {
    kept = token
    unlessForbidden(() => place.sessionStorage.setItem(KEY, token))
  }
  const forget = (): void => {
    kept = null
    unlessForbidden(() => place.sessionStorage.removeItem(KEY))
  }
  return {
    take() {
      const given = tokenOf(location.hash)
      if (given === null) return kept
      history.replaceState(null, '', location.pathname + location.search)
      if (given === '') forget()
      else keep(given)
      return kept
    },
    keep,
    forget,
  }
}

/** Where cookies are blocked, a page fails by asking for its storage already. */
function unlessForbidden<T>(use: () => T): T | null {
  try {
    return use()
  } catch {
    return null
  }
}

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
