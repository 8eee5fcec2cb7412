const KEY = 'sluice-console-token'

/** As much of a window as a token needs. */
export type TokenPlace = Pick<Window, 'location' | 'history' | 'sessionStorage'>

/**
 * The token of the address's fragment (`#token=…`), which is never sent to a server, or else the one that this tab keeps.
 * A fragment is taken out of the address at once, so that it is neither seen nor copied nor kept in the history.
 */
export function takeToken({ location, history, sessionStorage }: TokenPlace): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given === null) return sessionStorage.getItem(KEY)
  history.replaceState(null, '', location.pathname + location.search)
  sessionStorage.setItem(KEY, given)
  return given
}

export const keepToken = ({ sessionStorage }: TokenPlace, token: string): void => sessionStorage.setItem(KEY, token)
export const forgetToken = ({ sessionStorage }: TokenPlace): void => sessionStorage.removeItem(KEY)
