import { version } from './version.js'
import type { World } from './world.js'

/**
 * Runs `sluice` with everything handed in, and never ends the process.
 * @returns the exit code (S1): 0 ok, 1 any failure, 2 usage, 3 a broken driver, 4 throttled, 130 interrupted
 */
export async function run(world: World): Promise<number> {
  // Asked by scripts, often: nothing else is loaded for it.
  if (world.argv.length === 1 && /^(-V|--version)$/.test(world.argv[0] ?? '')) {
    await new Promise<void>((resolve) => {
      world.stdout.write(`${version()}\n`, () => resolve())
    })
    return 0
  }
  const { runCommandLine } = await import('./command-line.js')
  return runCommandLine(world)
}
