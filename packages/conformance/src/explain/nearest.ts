/**
 * The words that are most like one, best first: by the pairs of letters they have in common, of an id after its suite.
 * Those that have little in common are left out.
 */
export function nearest(word: string, candidates: readonly string[], count: number): string[] {
  const wanted = pairs(word)
  return candidates
    .map((candidate) => ({ candidate, score: likeness(wanted, pairs(candidate)) }))
    .filter(({ score }) => score > 0.4)
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ candidate }) => candidate)
}

/** Dice's coefficient. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((pair) => other.has(pair)).length
  return (2 * common) / (one.size + other.size || 1)
}

function pairs(id: string): ReadonlySet<string> {
  const text = id.slice(id.indexOf('/') + 1)
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2)))
}
