import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fate } from './scripted-node.js'
import { stand } from './stand.js'

const act = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('send' as const),
      source: fc.constantFrom('a', 'b'),
      partitions: fc.array(fc.constantFrom('p', 'q'), { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('pass' as const), ms: fc.constantFrom(5, 300, 1000, 7000, 40_000) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('crash' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('close' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('node' as const), at: fc.nat(1), isUp: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('disk' as const), fails: fc.boolean() }) },
)
const fates: (Fate | undefined)[] = [
  undefined,
  'lost_before',
  'lost_after',
  'falls',
  'hangs',
  'resources',
  'refused',
  'no_connection',
]

test('I4: whatever fails and whenever it crashes, each acknowledged row is written, and on no node twice', async () => {
  let rerouted = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { maxLength: 40 }),
      fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (acts, list, maxRows) => {
        const bounds = { maxTotalPieces: 200, maxSourcePieces: 200 }
        const it = await stand(['n1', 'n2'], { maxRows, retryMs: 100, bounds, tenantOf: () => 't' })
        let inserts = 0
        for (const node of it.nodes) node.fate = () => list[inserts++ % list.length]
        const acknowledged: string[] = []
        let row = 0
        let counted = 0
        const count = (): void => {
          for (const source of ['a', 'b']) counted += it.pipeline.backlogs.read(source).maybeDuplicatedRows
        }
        for (const one of acts) {
          if (one.does === 'pass') await it.clock.advance(one.ms)
          else if (one.does === 'node') Object.assign(it.nodes[one.at] ?? {}, { isUp: one.isUp })
          else if (one.does === 'disk') it.spool.fails = one.fails
          else if (one.does === 'send') {
            const events = one.partitions.map((partition) => ({ partition, row: String(row++) }))
            const verdict = await it.pipeline.accept(one.source, events).catch(() => null)
            if (verdict?.status === 202) acknowledged.push(...events.map((event) => event.row))
          } else {
            if (one.does === 'close') await it.clock.run(it.pipeline.close(500))
            count()
            await it.restart()
          }
        }
        for (const node of it.nodes) node.fate = () => undefined
        await it.clock.advance(100) // what is under way may yet fall
        for (const node of it.nodes) node.isUp = true
        it.spool.fails = false
        for (let i = 0; i < 60 && it.disk.records.size > 0; i++) await it.clock.advance(10_000)
        expect(it.disk.records.size).toBe(0)
        for (const { rows } of it.nodes) expect(new Set(rows).size).toBe(rows.length)
        const written = [...it.one.rows, ...it.two.rows]
        for (const one of acknowledged) expect(written).toContain(one)
        const twice = written.length - new Set(written).size
        // Nothing waits by any of the sums: exactly as much may come as there may be of one tenant.
        const most = Array.from({ length: 100 }, (_, i) => ({ partition: `${i}`, row: 'x' }))
        expect(await it.pipeline.accept('a', most)).toMatchObject({ status: 202 })
        expect(await it.pipeline.accept('b', most.slice(0, 1))).toMatchObject({ status: 429, reason: 'tenant_pieces' })
        count()
        expect(twice).toBeLessThanOrEqual(counted)
        rerouted += twice
      },
    ),
    { numRuns: 400 },
  )
  expect(rerouted).toBeGreaterThan(0) // or nothing of that was tried
})
