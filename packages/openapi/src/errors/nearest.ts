import leven from 'leven'

/** At most this many names are suggested. */
const MOST = 3

/** Names compare by their letters and digits (anything beyond ASCII counts as one): `repos/get`, `repos-get`, `reposGet` and `repos_get` are the same. */
export const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9\u0080-\uffff]/g, '')

/** Up to three candidates that somebody who wrote `name` may have meant, the nearest first. */
export function nearest(name: string, candidates: readonly string[]): readonly string[] {
  const wanted = folded(name)
  const most = Math.max(2, Math.floor(wanted.length * 0.4))
  return candidates
    .map((candidate) => {
      const other = folded(candidate)
      // A part of a name is nearer than a name that is merely as far away.
      const within = wanted.length > 2 && (other.includes(wanted) || (other.length > 2 && wanted.includes(other)))
      const edits = leven(wanted, other)
      return { candidate, far: within ? Math.min(edits, most) - 0.5 : edits }
    })
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
    .slice(0, MOST)
    .map(({ candidate }) => candidate)
}
