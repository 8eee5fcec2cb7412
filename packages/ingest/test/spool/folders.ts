import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

/** Makes folders that are gone after each test. */
export function temporaryFolders(): () => string {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-spool-'))
    folders.push(folder)
    return folder
  }
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** What the disk was asked for before is there: one look comes after another. */
export async function looks(path: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await readdir(path)
}

/**
 * A spool has done what nobody waits for.
 * @param points that it has passed so far
 */
export async function settled(path: string, points: readonly string[]): Promise<void> {
  const underWay = (): number => points.filter((point) => point.startsWith('before')).length * 2 - points.length
  for (let quiet = 0, last = 0, turn = 0; quiet < 2 && turn < 20_000; turn++) {
    await looks(path, 5)
    quiet = last === points.length && underWay() === 0 ? quiet + 1 : 0
    last = points.length
  }
}

/** The first number that the oldest segment can hold. */
export const firstNumberIn = (path: string): number => Number(readdirSync(path).sort()[0]?.slice(0, 16))
