import { ConfigError } from '../config-error.js'
import { shown } from '../option-values.js'

/**
 * Origins as browsers send them, since one that is written otherwise would never be met: scheme and host in small letters, a
 * port that is not the scheme's own, and no path. Or `*`; or `null`, as pages without an origin send it.
 * @throws ConfigError
 */
export function checkOrigins(origins: readonly string[]): readonly string[] {
  for (const [i, origin] of origins.entries()) {
    if (origin === '*' || origin === 'null') continue
    const sent = originOf(origin)
    if (sent === origin) continue
    const right = sent === undefined ? 'https://example.com' : sent
    const problem = `is ${shown(origin)}, which no browser sends; write an origin such as ${right}, without a path, or *`
    throw new ConfigError('options', `corsOrigins.${i}`, problem)
  }
  return origins
}

/** What a browser would send of it; undefined: it has no origin. */
function originOf(text: string): string | undefined {
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) ? new URL(text).origin : undefined
  // URLs of other schemes, as those of apps, have an origin that their platform alone knows.
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+/.exec(text)?.[0]
}
