import { wantsColour } from '../output/voice.js'
import type { World } from '../world.js'

/** How far a comparison has come, for somebody who watches. */
export interface PlayedCount {
  /** One more was played. */
  count(): void
  /** Takes the line away. */
  end(): void
}

/** @param all how many plays there will be; one alone needs no line */
export function playedCount(world: World, all: number): PlayedCount {
  const isShown = wantsColour(world, 'stderr') && all > 1
  let played = 0
  return {
    count() {
      played++
      if (isShown) world.stderr.write(`\r\u001b[2K${played} of ${all} plays`)
    },
    end() {
      if (isShown && played > 0) world.stderr.write('\r\u001b[2K')
    },
  }
}
