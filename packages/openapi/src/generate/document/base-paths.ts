/** Gives a relative URL a host that is of no interest. */
const NOWHERE = 'http://relative.invalid'

/** The paths of servers, without a slash at the end; the longest first. */
export function basePathsOf(servers: readonly string[]): string[] {
  const paths = servers.flatMap((url) => (URL.canParse(url, NOWHERE) ? [new URL(url, NOWHERE).pathname] : []))
  const bases = new Set((paths.length === 0 ? ['/'] : paths).map((path) => path.replace(/\/+$/, '')))
  return [...bases].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
}
