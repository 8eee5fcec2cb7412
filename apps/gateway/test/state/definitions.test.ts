import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { DataSource } from '../../src/ingest/data-source.js'
import { DataSources } from '../../src/ingest/data-sources.js'
import { definitionSchema } from '../../src/ingest/definition.js'
import { PipeBook, savedPipe } from '../../src/pipes/pipe-book.js'
import { pipeSchema } from '../../src/pipes/pipe-definition.js'
import { PipeRegistry } from '../../src/pipes/registry.js'
import { DefinitionFolder } from '../../src/state/definition-folder.js'
import { TenantQueue } from '../../src/state/tenant-queue.js'

const root = mkdtempSync(join(tmpdir(), 'sluice-definitions-'))
const folder = () => join(mkdtempSync(join(root, 'f-')), 'data-sources')
afterAll(() => rmSync(root, { recursive: true }))

const of = (tenant: string, dataset = 'default') => ({ tenant, dataset })
const definition = definitionSchema.parse({ columns: [{ name: 'id', type: 'UInt32' }] })

describe('DefinitionFolder', () => {
  const kept = z.strictObject({ tenant: z.string(), dataset: z.string(), name: z.string(), n: z.number() })
  const one = { ...of('acme'), name: 'clicks', n: 1 }
  const other = { ...of('Acme'), name: 'clicks', n: 2 }

  it('has each definition in a file of its own, and leaves those of others alone', async () => {
    const path = folder()
    const definitions = new DefinitionFolder(path, kept)
    expect(await definitions.read()).toEqual([])
    await Promise.all([one, other].map((it) => definitions.write(it)))
    const files = readdirSync(path)
    expect([files.length, files.every((it) => /^[0-9a-f]{32}\.json$/.test(it))]).toEqual([2, true])
    const before = files.map((it) => readFileSync(join(path, it), 'utf8'))
    await definitions.write({ ...one, n: 3 })
    const changed = readdirSync(path).filter((it, i) => readFileSync(join(path, it), 'utf8') !== before[i])
    expect(changed).toHaveLength(1)
    const there = await new DefinitionFolder(path, kept).read()
    expect(there.sort((a, b) => a.n - b.n)).toEqual([other, { ...one, n: 3 }])
    await definitions.delete(one)
    await definitions.delete(one) // which is gone
    expect(await definitions.read()).toEqual([other])
  })

  it('takes away what a crash left half written', async () => {
    const path = folder()
    const definitions = new DefinitionFolder(path, kept)
    await definitions.read()
    await definitions.write(one)
    const [file = ''] = readdirSync(path)
    writeFileSync(join(path, `${file}.new`), '{"tena')
    expect([await definitions.read(), readdirSync(path)]).toEqual([[one], [file]])
  })

  it('refuses a file that is not where it belongs: what is changed would be in another', async () => {
    const path = folder()
    const definitions = new DefinitionFolder(path, kept)
    await definitions.read()
    await definitions.write(one)
    const [file = ''] = readdirSync(path)
    renameSync(join(path, file), join(path, 'clicks.json'))
    await expect(definitions.read()).rejects.toThrow(
      `${join(path, 'clicks.json')}: tenant, dataset and name are those of acme/default/clicks, whose file is ${file}; give it that name, or take it away`,
    )
  })

  it('refuses the one file of an earlier version: its definitions would be gone without a word', async () => {
    const path = folder()
    writeFileSync(`${path}.json`, '[]')
    await expect(new DefinitionFolder(path, kept).read()).rejects.toThrow(
      `${path}.json: (the file) is how an earlier version kept all definitions; take it away, and define them again through the API`,
    )
    expect(existsSync(path)).toBe(false)
  })
})

describe('TenantQueue', () => {
  it('has one act of a tenant after another, whatever became of it, and no tenant wait for another', async () => {
    const queue = new TenantQueue()
    const log: string[] = []
    let end = (): void => {}
    const held = queue.take('acme', async () => {
      log.push('acme 1')
      await new Promise<void>((resolve) => {
        end = resolve
      })
      throw new Error('failed')
    })
    const next = queue.take('acme', async () => log.push('acme 2'))
    await queue.take('globex', async () => log.push('globex 1'))
    await queue.take('globex', async () => log.push('globex 2'))
    expect(log).toEqual(['acme 1', 'globex 1', 'globex 2'])
    end()
    await expect(held).rejects.toThrow('failed')
    await next
    expect(log.at(-1)).toBe('acme 2')
  })
})

describe('DataSources', () => {
  const open = (path: string, most: number, define: (source: DataSource) => Promise<void> = async () => {}) =>
    DataSources.open({ folder: path, most, define, nowMs: () => 0, wallNow: () => 0 })

  it('are as many of a tenant as it may have, in all its data sets, and not more', async () => {
    const path = folder()
    const sources = await open(path, 2)
    await sources.put(of('acme'), 'one', definition)
    await sources.put(of('acme', 'web'), 'two', definition)
    await expect(sources.put(of('acme'), 'three', definition)).rejects.toThrow(
      'There are 2 data sources of this tenant, and there may be no more.',
    )
    await sources.put(of('globex'), 'three', definition)
    expect((await sources.put(of('acme'), 'one', { ...definition, description: 'changed' })).isNew).toBe(false)
    // Those that are there stay where fewer are allowed.
    const fewer = await open(path, 1)
    expect(
      fewer
        .all()
        .map(({ key }) => key)
        .sort(),
    ).toEqual(['acme/default/one', 'acme/web/two', 'globex/default/three'])
    const one = fewer.find(of('acme'), 'one')
    if (one) await fewer.delete(one, async () => true)
    await expect(fewer.put(of('acme'), 'three', definition)).rejects.toThrow('There are 1 data sources')
    const two = fewer.find(of('acme', 'web'), 'two')
    if (two) await fewer.delete(two, async () => true)
    await fewer.put(of('acme'), 'three', definition)
    expect(readdirSync(path)).toHaveLength(2)
  })

  it('of one tenant wait for a node that does not answer, and those of others do not', async () => {
    let answer = (): void => {}
    const silent = new Promise<void>((resolve) => {
      answer = resolve
    })
    const sources = await open(folder(), 9, ({ namespace }) =>
      namespace.tenant === 'acme' ? silent : Promise.resolve(),
    )
    let isThere = false
    const slow = sources.put(of('acme'), 'one', definition).then(() => {
      isThere = true
    })
    await sources.put(of('globex'), 'one', definition)
    expect([isThere, sources.all().map(({ key }) => key)]).toEqual([false, ['globex/default/one']])
    answer()
    await slow
  })
})

describe('PipeBook', () => {
  const pipe = (tenant: string, name: string) => {
    const { definition, read } = pipeSchema(name).parse({ sql: 'SELECT 1' })
    return savedPipe(of(tenant), definition, read)
  }

  it('has as many of a tenant as it may have saved, and not more', async () => {
    const path = folder()
    const book = await PipeBook.open(new PipeRegistry([]), path, 1)
    expect(await book.put(pipe('acme', 'one'))).toBe(true)
    await expect(book.put(pipe('acme', 'two'))).rejects.toThrow('There are 1 pipes of this tenant')
    expect([await book.put(pipe('acme', 'one')), await book.put(pipe('globex', 'two'))]).toEqual([false, true])
    const again = await PipeBook.open(new PipeRegistry([]), path, 1)
    expect([again.find(of('acme'), 'one')?.pipe.name, again.find(of('globex'), 'two')?.pipe.name]).toEqual([
      'one',
      'two',
    ])
    expect([await again.delete(of('acme'), 'one'), await again.delete(of('acme'), 'one')]).toEqual([true, false])
    expect(await again.put(pipe('acme', 'two'))).toBe(true)
  })
})
