import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Answer, type Send, scriptedFetch } from '@sluice/conformance'
import { VirtualClock } from '@sluice/core/testing'
import { vi } from 'vitest'
import { run } from '../../src/run.js'
import type { World } from '../../src/world.js'
import { driven } from '../driven.js'
import { memoryWorld } from '../memory-world.js'

export const ITEMS: string = fileURLToPath(new URL('items.yaml', import.meta.url))

/** Documents are read once for a file of tests. */
export const CACHE: string = mkdtempSync(join(tmpdir(), 'sluice-call-'))

export interface Called {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly sends: readonly Send[]
}

/** Runs `sluice call` by items.yaml against scripted answers on a virtual clock; with a `fetch`, on the real one. */
export async function call(
  args: readonly string[],
  answers: readonly Answer[] = [{ status: 200 }],
  { env, ...given }: Partial<World> = {},
): Promise<Called> {
  const clock = new VirtualClock()
  const script = scriptedFetch({ answers, clock })
  const made = memoryWorld({
    ...{ argv: ['call', ...args], random: () => 0.5 },
    ...(given.fetch === undefined && { fetch: script.fetch, clock }),
    ...{
      env: { SLUICE_OPENAPI: ITEMS, SLUICE_BASE_URL: 'https://service.test', XDG_CACHE_HOME: CACHE, ...env },
      ...given,
    },
  })
  const running = run(made.world)
  const code = given.fetch === undefined ? await driven(clock, running) : await running
  // A file is read while its send is already noted.
  await vi.waitUntil(() => script.sends.every(({ body }) => body !== null))
  return { code, stdout: made.stdout(), stderr: made.stderr(), sends: script.sends }
}
