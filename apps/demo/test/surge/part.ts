import type { Part, SurgeFigures } from '../../src/surge/figures.js'

/** A part in which the limit is that from those moments on, and the job runs from 4 s on. */
export function part(
  jobMs: number,
  limits: readonly (readonly [atMs: number, limit: number])[],
  own: Partial<Part> = {},
): Part {
  return {
    jobMs,
    jobFromMs: 4000,
    endMs: 4000 + jobMs + 3000,
    calm: { answers: 152, perSecond: 38, engineMs: 80.4, tookMs: 84.6 },
    surge: { answers: 260, perSecond: 26.2, engineMs: 240, tookMs: 300.2 },
    refusals: [],
    answers: 400,
    counted: { requests: 400, refusals: 0 },
    sights: limits.map(([atMs, limit]) => ({ atMs, limit, p90_ms: limit < 8 ? 160 : 80, ratio: limit < 8 ? 1.52 : 1 })),
    ...own,
  }
}

export const figures = (own: Partial<SurgeFigures> = {}): SurgeFigures => ({
  aloneMs: [3400, 3600],
  expectedP90Ms: 80.4,
  free: part(10_500, [[-900, 8]]),
  windowed: null,
  limited: part(8050, [[-900, 8], [6600, 6], [7600, 4], [14_000, 5]], {
    surge: { answers: 160, perSecond: 19.6, engineMs: 180, tookMs: 600 },
  }), // biome-ignore format: pairs
  ...own,
})
