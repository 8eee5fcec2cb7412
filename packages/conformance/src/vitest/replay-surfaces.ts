import { type SurfaceCase, surfaceTable } from '../surface/surface-case.js'
import { replayRows } from './replay-rows.js'

/** The key of a row's `expect` that a surface is held to. */
export type Surface = 'cli' | 'mcp' | 'client' | 'execute' | 'fetch'

/** Surfaces that can be given a limiter. */
const LIMITED: readonly Surface[] = ['client', 'execute', 'fetch']

function reasonToSkip({ expect, call }: SurfaceCase, surface: Surface): string | undefined {
  if (expect[surface] === undefined) return `says nothing of ${surface}`
  if (call === undefined) return 'no call leads to it'
  return call.limiter && !LIMITED.includes(surface) ? 'limiter' : undefined
}

/**
 * Registers one vitest test for each row of surface-cases.json that states something of `surface`; the others count as
 * skipped. Afterwards `.report/replay-surface-cases.json` says what came of it, for `pnpm conformance`.
 *
 * @param entry the specifier users import
 * @param check makes the row's call through that entry and compares; it must come to at least one `expect`
 */
export function replaySurfaces(entry: string, surface: Surface, check: (row: SurfaceCase) => Promise<void>): void {
  replayRows(entry, 'surface-cases', surfaceTable().cases, check, (row) => reasonToSkip(row, surface))
}
