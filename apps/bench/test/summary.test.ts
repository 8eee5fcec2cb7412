import { describe, expect, it } from 'vitest'
import { inTurn } from '../src/rounds.js'
import { atSize, figures, growth, type Run, spread, summarize } from '../src/summary.js'
import { aloneTable, growthTable, memoryTable, overheadTable } from '../src/tables.js'

/** Three starts; the machine was twice as slow in the second. */
const runs: Run[] = [
  { burst: { bare: 50, sluice: 450, peer: 850 } },
  { burst: { bare: 100, sluice: 900, peer: 1300 } },
  { burst: { bare: 50, sluice: 350, peer: 650 } },
]

describe('what a suite comes to', () => {
  it('is the middle, with the least and the most', () => {
    expect(spread([5, 1, 9])).toEqual({ median: 5, min: 1, max: 9 })
  })

  it('compares what each adds to the yardstick, within each start', () => {
    const [bare, sluice, peer] = summarize(runs, 'burst')
    expect(bare?.sluiceRatio).toBeNull()
    expect(sluice).toMatchObject({ overheadNs: { median: 400 }, sluiceRatio: null })
    // 400/800, 800/1200, 300/600: not the ratio of the medians.
    expect(peer?.sluiceRatio).toEqual({ median: 0.5, min: 0.5, max: 800 / 1200 })
  })

  it('divides many by few, within each start', () => {
    const of = (few: number, many: number): Run => ({ abort: { [atSize('x', 10)]: few, [atSize('x', 1000)]: many } })
    expect(growth([of(2, 4), of(10, 10), of(1, 3)], 'abort', [10, 1000])).toEqual([
      {
        name: 'x',
        few: { median: 2, min: 1, max: 10 },
        many: { median: 4, min: 3, max: 10 },
        times: { median: 2, min: 1, max: 3 },
      },
    ])
  })

  it('does not take a size for another that ends alike', () => {
    const run: Run = { abort: { [atSize('x', 10)]: 1, [atSize('x', 110)]: 2 } }
    expect(growth([run], 'abort', [10, 110]).map(({ name }) => name)).toEqual(['x'])
  })
})

describe('its table', () => {
  it('names the unit, and leaves the yardstick without a ratio', () => {
    expect(overheadTable(summarize(runs, 'burst'), 'a task')).toBe(
      [
        '|  | a task | it adds | Sluice adds, of that |',
        '| --- | --- | --- | --- |',
        '| bare | 50 ns |  |  |',
        '| sluice | 450 ns | 400 ns |  |',
        '| peer | 850 ns | 800 ns | 0.50× (0.50–0.67) |',
      ].join('\n'),
    )
  })

  it('shows what stands alone beside its aim', () => {
    const rows = figures([{ m: { record: 8.26, close: 157_000 } }], 'm')
    expect(aloneTable(rows, [10, 150_000])).toContain('| close | 157.0 µs | 157.0 µs–157.0 µs | 150.0 µs |')
    expect(aloneTable(rows, [10, 150_000])).toContain('| record | 8.3 ns | 8.3 ns–8.3 ns | 10 ns |')
  })

  it('shows growth and bytes', () => {
    const few = { median: 1000, min: 900, max: 1100 }
    const times = { median: 250, min: 200, max: 300 }
    const many = { median: 2_500_000, min: 1, max: 2 }
    expect(growthTable([{ name: 'x', few, many, times }], 'an abort', [1000, 100_000])).toContain(
      '| x | 1.0 µs | 2.5 ms | 250.00× (200.00–300.00) |',
    )
    expect(memoryTable([{ name: 'x', value: few }])).toContain('| x | 1000 B | 900 B–1100 B |')
  })
})

it('lets another candidate begin each round', () => {
  expect([0, 1, 2, 3].map((round) => inTurn(['a', 'b', 'c'], round).join(''))).toEqual(['abc', 'bca', 'cab', 'abc'])
})
