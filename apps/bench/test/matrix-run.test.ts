import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { probes } from '../src/matrix/probes/index.js'
import { runMatrix } from '../src/matrix/run-matrix.js'
import { verdictsOf } from '../src/matrix/verdicts.js'

/** Real children, a real server, real time. The child is the built one. */
const program = fileURLToPath(new URL('../dist/matrix/child.js', import.meta.url))

describe('the matrix, end to end', () => {
  it('tells two clients apart by what they send', { timeout: 40_000 }, async () => {
    const rows = ['stated-get', 'stated-post', 'unstated', 'unavailable-post', 'reset-get', 'told']
    const chosen = probes.filter(({ id }) => rows.includes(id))
    const runs = await runMatrix({ clients: ['sluice', 'gaxios'], probes: chosen, program })
    const marks = runs.map((run) => [
      `${run.about.id} ${run.configuration}`,
      Object.fromEntries([...verdictsOf(run, chosen)].map(([id, { mark }]) => [id, mark])),
    ])
    const ours = {
      'stated-get': '✓',
      'stated-post': '✓',
      unstated: '✓',
      'unavailable-post': '✓',
      'reset-get': '✓',
      told: '✓',
    }
    // gaxios reads no Retry-After and documents that it does not retry POST.
    const gaxios = { ...ours, 'stated-get': '✗', 'stated-post': '~' }
    expect(Object.fromEntries(marks)).toEqual({
      'sluice defaults': ours,
      'sluice best': ours,
      'gaxios defaults': gaxios,
      'gaxios best': gaxios,
    })
    // What was sent, and not only what was thought of it: a second request two seconds later, and one POST alone.
    const [first] = runs
    expect(first?.seen.get('stated-get')?.sends.map(({ method }) => method)).toEqual(['GET', 'GET'])
    expect(first?.seen.get('stated-get')?.sends[1]?.atMs).toBeGreaterThanOrEqual(1995)
    expect(first?.seen.get('unavailable-post')?.sends).toHaveLength(1)
    expect(runs.flatMap(({ strays }) => strays)).toEqual([])
  })
})
