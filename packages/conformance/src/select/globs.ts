export interface GlobChoice {
  /** Cases to run; none: all. */
  run?: readonly string[]
  /** Cases to leave out, also of those to run. */
  skip?: readonly string[]
}

/**
 * Chooses cases by their ids.
 *
 * In a glob `*` is any characters and `?` is one, and everything else is itself. It is held against the whole id, or,
 * without a `/`, against what follows the suite: `r9-*` chooses `retry-cases/r9-total-equal`.
 */
export function globFilter({ run = [], skip = [] }: GlobChoice): (id: string) => boolean {
  const wanted = run.map(matcher)
  const unwanted = skip.map(matcher)
  return (id) =>
    (wanted.length === 0 || wanted.some((matches) => matches(id))) && !unwanted.some((matches) => matches(id))
}

/** The globs that match none of these ids: misspelt, most likely. */
export function unmatchedGlobs(globs: readonly string[], ids: readonly string[]): string[] {
  return globs.filter((glob) => !ids.some(matcher(glob)))
}

function matcher(glob: string): (id: string) => boolean {
  const pattern = glob
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.')
  const regexp = new RegExp(`^${pattern}$`, 's')
  if (glob.includes('/')) return (id) => regexp.test(id)
  return (id) => regexp.test(id.slice(id.indexOf('/') + 1))
}
