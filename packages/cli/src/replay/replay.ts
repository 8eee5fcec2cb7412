import { sinkOf } from '../output/sink.js'
import { pictureFile } from '../output/svg/picture-file.js'
import { printable } from '../output/voice.js'
import type { World } from '../world.js'
import { asJson } from './as-json.js'
import { asText } from './as-text.js'
import type { ReplayOptions } from './command.js'
import { replayTrace } from './replay-trace.js'
import { checkWindows, unseenOf, warningsOf } from './sample-check.js'
import { variantsOf } from './variants.js'

/**
 * `sluice replay`.
 * @returns 0
 * @throws UsageError where an option or the trace is at fault
 */
export async function replay(world: World, file: string, options: ReplayOptions): Promise<number> {
  const name = file === '-' ? 'stdin' : file
  variantsOf({ ...options }) // options are at fault before a long file is read
  const keep = options.svg === undefined ? null : await pictureFile(world, options.svg, { path: file, what: 'trace' })

  const stderr = sinkOf(world.stderr, 'stderr', world.signal)
  const warn = async (warnings: readonly string[]): Promise<void> => {
    for (const warning of warnings) await stderr.write(`Warning: ${printable(warning)}\n`)
  }
  const trace = await replayTrace(world, file, options, warn)
  const { replayed, recorded, warnings } = trace
  await warn(warnings) // before it may fail: a unit that was taken for another can be the reason
  checkWindows(name, trace)
  const more = [...warningsOf(replayed, recorded, options.latency), ...unseenOf(options, replayed)]
  await warn(more)
  const all = [...warnings, ...more]
  if (keep !== null) {
    const { picture } = await import('./svg/picture.js')
    await keep(picture(name, replayed))
  }
  const text = options.json ? asJson(name, replayed, all, recorded) : asText(name, replayed, recorded)
  await sinkOf(world.stdout, 'stdout', world.signal).write(`${text}\n`)
  return 0
}
