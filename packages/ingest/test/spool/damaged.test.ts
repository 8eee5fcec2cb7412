import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fault, type FaultPoint, Spool, type SpoolDamage } from '@sluice/ingest/spool'
import { describe, expect, test } from 'vitest'
import { bytesOf, settled, temporaryFolders, textOf } from './folders.js'

const folder = temporaryFolders()
const OPTIONS = { groupMs: 0, segmentBytes: 1000 }
const NODE = { source: 'paused', partition: 'p', node: 'n1' }

const read = async (spool: Spool): Promise<string[]> => {
  const all: string[] = []
  for await (const { sequence, payload } of spool.records()) all.push(`${sequence} ${textOf(payload)}`)
  return all
}

function flip(file: string, at: number): void {
  const content = readFileSync(file)
  content[at] = (content[at] ?? 0) ^ 1
  writeFileSync(file, content)
}

/** A segment with a kept record, which is damaged, and others that are done, or sound. */
async function damaged(damage: (file: string) => void, fault: Fault = () => {}) {
  const path = folder()
  const told: SpoolDamage[][] = []
  const points: FaultPoint[] = []
  const spool = await Spool.open(path, {
    ...OPTIONS,
    fault: (point) => {
      points.push(point)
      try {
        return fault(point)
      } catch (error) {
        if (point.startsWith('before')) points.push('after write') // it will not come
        throw error
      }
    },
    onDamage: (stretches) => void told.push([...stretches]),
  })
  const kept = await spool.append('paused', bytesOf('kept'))
  const [name = ''] = readdirSync(path)
  const bytes = readFileSync(join(path, name)).length
  const others: number[] = []
  for (let i = 0; i < 3; i++) others.push(await spool.append('busy', bytesOf('beside it')))
  const sound = await spool.append('paused', bytesOf('sound'))
  const claims: number[] = []
  for (const id of ['written', 'open'])
    claims.push(await spool.claim({ ...NODE, id, rows: [[kept, claims.length, claims.length + 1]] }))
  damage(join(path, name))
  return { path, name, bytes, spool, told, points, kept, others, sound, claims }
}

async function flow(spool: Spool, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await spool.done([await spool.append('busy', bytesOf('x'.repeat(400)))])
}

describe('I4: a kept record that its disk does not give back while the spool is open', () => {
  test.each<[string, (file: string) => void, string]>([
    ['as it was', (file) => flip(file, 40), 'cannot be read any more'],
    ['whole', (file) => truncateSync(file, 40), 'cannot be read any more'],
    ['at all', (file) => rmSync(file), 'ENOENT'],
  ])('%s keeps its segment, is told once, and ends nothing', async (_, damage, fault) => {
    const { path, name, spool, told, points, kept, others, sound, claims } = await damaged(damage)
    await flow(spool, 10)
    await spool.done(others) // their marks are in a segment after theirs
    await spool.done(claims.slice(0, 1))
    let most = 0
    for (let i = 0; i < 60; i++) {
      await flow(spool, 1)
      await settled(path, points)
      most = Math.max(most, spool.diskBytes)
    }
    expect(most).toBeLessThan(9000) // of 30 000 that came
    expect(told.map((stretches) => stretches[0]?.path)).toEqual([join(path, name)])
    expect(told[0]?.[0]?.offset).toBe(0)
    // Whoever wants it is told as ever.
    await expect(spool.read([kept])).rejects.toThrow(fault)
    expect(spool.backlog('paused').bytes).toBeGreaterThan(0)
    await spool.done([kept, sound])
    await flow(spool, 8)
    await settled(path, points)
    expect(readdirSync(path)).not.toContain(name)
    expect(readdirSync(path).length).toBeLessThan(6)
    await spool.close()
  })

  test('is there again once its disk gives it back, with its claims, and nothing that is done is', async () => {
    let whole = Buffer.of()
    const it = await damaged((file) => {
      whole = readFileSync(file)
      flip(file, 40)
    })
    const { path, name, bytes, spool, told, points, kept, others, sound, claims } = it
    await flow(spool, 10)
    await spool.done(others)
    await spool.done(claims.slice(0, 1))
    const marked = readdirSync(path).sort().at(-1) ?? ''
    await flow(spool, 40)
    await settled(path, points)
    expect(readdirSync(path)).toContain(name)
    expect(readdirSync(path)).not.toContain(marked) // where the marks were first
    await spool.close()
    expect(told).toEqual([[{ path: join(path, name), offset: 0, bytes }]])
    const broken = await Spool.open(path, OPTIONS)
    expect(broken.findings.damaged).toEqual(told[0])
    expect(await read(broken)).toEqual([`${sound} sound`])
    await broken.close()
    const content = readFileSync(join(path, name))
    content.set(whole.subarray(0, bytes))
    writeFileSync(join(path, name), content)
    const again = await Spool.open(path, OPTIONS)
    expect(await read(again)).toEqual([`${kept} kept`, `${sound} sound`])
    expect(again.claims.map(({ id, isDone }) => [id, isDone])).toEqual([
      ['written', true],
      ['open', false],
    ])
    await again.close()
  })

  test('and a process that ends at any point meanwhile brings back nothing that is done', async () => {
    const work = async (fault: Fault) => {
      const it = await damaged((file) => flip(file, 40), fault)
      const { path, spool, points, others, kept } = it
      let isDone = false
      try {
        await flow(spool, 3)
        await spool.done(others)
        isDone = true
        for (let i = 0; i < 8; i++) {
          await flow(spool, 1)
          await settled(path, points)
        }
      } catch {
        // the disk is gone
      }
      await spool.close()
      flip(join(path, it.name), 40)
      const again = await Spool.open(path, OPTIONS)
      const found = await read(again)
      await again.close()
      expect(again.findings).toEqual({ tornBytes: 0, damaged: [] })
      expect(found).toContain(`${kept} kept`)
      expect(found.filter((line) => line.endsWith('sound'))).toHaveLength(1)
      if (isDone) expect(found.filter((line) => line.includes('beside'))).toEqual([])
      return it
    }
    const { points, told } = await work(() => {})
    expect(told).toHaveLength(1)
    const from = 34 // by then it is damaged
    expect(points.length - from).toBeGreaterThan(50)
    await Promise.all(
      points.slice(from).map((_, crash) => {
        let count = 0
        return work(() => {
          if (count++ >= from + crash) throw new Error('EIO')
        })
      }),
    )
  })
})

describe('I4: a claim of a kept record that its disk does not give back', () => {
  test.each<[string, (file: string, at: number) => void]>([
    ['as it was', (file, at) => flip(file, at + 40)],
    ['whole, as the file ends before it', truncateSync],
  ])('%s is told, and what is left of its segment stays', async (_, damage) => {
    const path = folder()
    const told: SpoolDamage[][] = []
    const points: FaultPoint[] = []
    const fault = (point: FaultPoint): void => void points.push(point)
    const onDamage = (stretches: readonly SpoolDamage[]): void => void told.push([...stretches])
    const spool = await Spool.open(path, { ...OPTIONS, fault, onDamage })
    const kept = await spool.append('paused', bytesOf('kept'))
    const [name = ''] = readdirSync(path)
    const offset = readFileSync(join(path, name)).length
    await spool.claim({ ...NODE, id: 'b1', rows: [[kept, 0, 1]] })
    const bytes = readFileSync(join(path, name)).length - offset
    await flow(spool, 3)
    damage(join(path, name), offset)
    await flow(spool, 20)
    await settled(path, points)
    expect(told[0]?.[0]).toMatchObject({ path: join(path, name), offset })
    expect(told[0]?.[0]?.bytes).toBeGreaterThanOrEqual(bytes)
    expect(told).toHaveLength(1)
    expect(readdirSync(path)).toContain(name)
    expect(readdirSync(path).length).toBeLessThan(6)
    await spool.close()
  })
})
