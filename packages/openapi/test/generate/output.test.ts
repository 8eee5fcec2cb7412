import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { compare } from '../../src/generate/output/compare.js'
import { diffOf } from '../../src/generate/output/diff.js'
import { lookAt, refuseForeign, writeTo } from '../../src/generate/output/folder.js'
import { type Files, MANIFEST, manifestOf } from '../../src/generate/output/manifest.js'
import { OutputFolderError } from '../../src/generate/output/output-folder-error.js'
import { workshop } from './workshop.js'

const root = workshop()
let count = 0
let folder: string
beforeEach(() => {
  folder = join(root, String(++count))
})

const filesOf = (contents: Record<string, string>): Files =>
  new Map([...Object.entries(contents), [MANIFEST, manifestOf(Object.keys(contents))]])
const write = async (contents: Record<string, string>, force = false): Promise<void> =>
  writeTo(await lookAt(folder), filesOf(contents), force)
const read = (file: string): string => readFileSync(join(folder, file), 'utf8')

describe('the output folder', () => {
  test('is made, replaced and swept; what is not ours stays', async () => {
    await write({ 'a.ts': 'one', 'core/b.ts': 'two', 'old/c.ts': 'three' })
    writeFileSync(join(folder, 'mine.txt'), 'mine')
    await write({ 'a.ts': 'ONE', 'core/b.ts': 'two' })
    expect([read('a.ts'), read('core/b.ts'), read('mine.txt')]).toEqual(['ONE', 'two', 'mine'])
    expect(existsSync(join(folder, 'old'))).toBe(false)
  })

  test('with files of somebody else is refused, before anything is written', async () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'main.ts'), 'mine')
    await expect(write({ 'a.ts': 'one' })).rejects.toThrow(
      /holds files that `sluice generate` did not make \(main\.ts\)/,
    )
    expect(existsSync(join(folder, 'a.ts'))).toBe(false)
    await write({ 'a.ts': 'one' }, true)
    expect([read('main.ts'), read('a.ts')]).toEqual(['mine', 'one'])
  })

  test('a file of somebody else is not replaced, unless by force', async () => {
    await write({ 'a.ts': 'one' })
    writeFileSync(join(folder, 'b.ts'), 'mine')
    await expect(write({ 'a.ts': 'ONE', 'b.ts': 'two' })).rejects.toThrow('b.ts was not made by `sluice generate`')
    expect([read('a.ts'), read('b.ts')]).toEqual(['one', 'mine'])
    await write({ 'a.ts': 'ONE', 'b.ts': 'two' }, true)
    expect([read('a.ts'), read('b.ts')]).toEqual(['ONE', 'two'])
  })

  test('that another run has filled with the same meanwhile is as good as ours', async () => {
    const files = filesOf({ 'a.ts': 'one' })
    const empty = await lookAt(folder)
    await writeTo(await lookAt(folder), files, false)
    await writeTo(empty, files, false)
    await expect(writeTo(empty, filesOf({ 'a.ts': 'ONE' }), false)).rejects.toThrow('a.ts was not made by')
  })

  test.each(['../outside.ts', '/etc/passwd', 'core/../../outside.ts', '..', '.', 'a\\b', 'C:/x', ''])(
    'a manifest that names %j is refused: nothing outside is deleted',
    async (name) => {
      mkdirSync(folder)
      writeFileSync(join(folder, MANIFEST), JSON.stringify({ files: [name] }))
      await expect(lookAt(folder)).rejects.toThrow(/which is no file of this folder/)
    },
  )

  test.each(['{', '[]', '{"files":1}'])('a broken manifest (%s) is refused', async (text) => {
    mkdirSync(folder)
    writeFileSync(join(folder, MANIFEST), text)
    await expect(lookAt(folder)).rejects.toThrow(OutputFolderError)
  })

  test('a link does not lead the broom out of it', async () => {
    const outside = join(root, `outside-${count}`)
    mkdirSync(outside)
    writeFileSync(join(outside, 'b.ts'), 'two')
    await write({ 'core/b.ts': 'two' })
    rmSync(join(folder, 'core'), { recursive: true })
    symlinkSync(outside, join(folder, 'core'))
    await expect(write({ 'a.ts': 'one' })).rejects.toThrow('is a link that leads out of')
    expect(existsSync(join(outside, 'b.ts'))).toBe(true)
  })

  test('that is a file is refused', async () => {
    writeFileSync(folder, '')
    await expect(lookAt(folder)).rejects.toThrow('is a file; name a folder')
  })

  test('may be empty, or not there', async () => {
    refuseForeign(await lookAt(folder))
    mkdirSync(folder)
    refuseForeign(await lookAt(folder))
  })
})

describe('what would change', () => {
  test('names missing, changed and extra files', async () => {
    await write({ 'a.ts': '1\n2\n3\n4\n5\n6\n', 'gone.ts': 'x', 'same.ts': '' })
    rmSync(join(folder, 'same.ts'))
    const changes = compare(
      await lookAt(folder),
      filesOf({ 'a.ts': '1\n2\n3\nfour\n5\n6\n', 'new.ts': 'y\n', 'same.ts': '' }),
    )
    expect(changes.map(({ file, kind }) => `${kind} ${file}`)).toEqual([
      'changed a.ts',
      'extra gone.ts',
      'missing new.ts',
      'missing same.ts',
      `changed ${MANIFEST}`,
    ])
    expect(diffOf(changes.slice(0, 3))).toBe(
      [
        '--- a.ts\n+++ a.ts\n@@ -2,5 +2,5 @@\n 2\n 3\n-4\n+four\n 5\n 6',
        '--- gone.ts\n+++ /dev/null\n(extra: 1 lines)',
        '--- /dev/null\n+++ new.ts\n(missing: 1 lines)\n',
      ].join('\n'),
    )
  })

  test('is shown in short', () => {
    const long = (word: string): string => Array.from({ length: 500 }, (_, line) => `${word} ${line}\n`).join('')
    const changed = (file: string): Parameters<typeof diffOf>[0][number] => ({
      file,
      kind: 'changed',
      before: long('a'),
      after: long('b'),
    })
    const text = diffOf(Array.from({ length: 30 }, (_, number) => changed(`${number}.ts`)))
    expect(text.split('\n').length).toBeLessThan(330)
    expect(text).toContain('-… 488 more lines')
    expect(text).toContain('changed: 29.ts')
  })

  test('also where lines only come or only go', () => {
    const change = { file: 'a', kind: 'changed' } as const
    expect(diffOf([{ ...change, before: 'x\n', after: 'x\nx\n' }])).toBe('--- a\n+++ a\n@@ -1,1 +1,2 @@\n x\n+x\n')
    expect(diffOf([{ ...change, before: 'x\ny\n', after: 'y\n' }])).toBe('--- a\n+++ a\n@@ -1,2 +1,1 @@\n-x\n y\n')
  })
})
