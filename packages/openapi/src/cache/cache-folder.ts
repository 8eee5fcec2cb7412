import { isAbsolute, join } from 'node:path'

/**
 * Where documents are kept between two runs, the same for every command; undefined where the environment names no such
 * place. XDG_CACHE_HOME counts only where it is absolute, as its specification says.
 */
export function cacheFolder({
  XDG_CACHE_HOME: xdg = '',
  HOME: home,
  LOCALAPPDATA: windows,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  const base = isAbsolute(xdg) ? xdg : home ? join(home, '.cache') : windows
  return base ? join(base, 'sluice') : undefined
}
