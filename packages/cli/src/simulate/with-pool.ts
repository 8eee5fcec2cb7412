import { availableParallelism } from 'node:os'
import type { Player } from '@sluice/simulator'
import type { World } from '../world.js'
import { PlayPool } from './play-pool.js'
import { playedCount } from './played-count.js'

/** Has all cores play, and tells how far they are. @param plays how many there will be */
export async function withPool<T>(world: World, plays: number, work: (player: Player) => Promise<T>): Promise<T> {
  const { count, end } = playedCount(world, plays)
  const pool = new PlayPool(Math.min(plays, availableParallelism()), world.signal, count)
  try {
    return await work(pool.play)
  } finally {
    end()
    await pool.close()
  }
}
