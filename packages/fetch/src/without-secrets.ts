/** A URL that may be shown: without credentials, query and fragment, which may hold secrets. */
export const withoutSecrets = (url: string): string => {
  try {
    const { protocol, host, pathname } = new URL(url)
    return `${protocol}//${host}${pathname}`
  } catch {
    return url.replace(/[?#].*/s, '') // relative: the page's own
  }
}
