import { join } from 'node:path'
import type { Clock } from '@sluice/core'
import { type Ending, LEAST_DISK_MS } from './ending.js'
import type { CheckedOptions } from './gateway-options.js'
import { Ingest } from './ingest/ingest.js'
import type { GatewayNode } from './limit/gateway-nodes.js'
import type { StoreNode } from './nodes/store-node.js'
import { NodeWatch } from './notices/node-watch.js'
import { NoticeBoard } from './notices/notice-board.js'
import { PipeBook } from './pipes/pipe-book.js'
import { lockFolder } from './state/folder-lock.js'
import { makeFolder, usingFolder } from './state/using-folder.js'

/** What a gateway keeps, as an earlier one left it. */
export interface GatewayState {
  readonly board: NoticeBoard
  /** Of the nodes; it has not begun. */
  readonly watch: NodeWatch
  readonly pipes: PipeBook
  /** Undefined: it keeps nothing. */
  readonly ingest: Ingest | undefined
  /** Writes what can be written, and tells of what is late. */
  close(graceMs: number, ending: Ending): Promise<void>
  /** Lets go of the folder, when nothing of this process writes to it any more. */
  unlock(): Promise<void>
}

/**
 * Reads what is kept in the folder of the spool, which is this process's alone from now on.
 * @throws ConfigError where another process has it, it cannot be written to, or what is in it cannot be used
 */
export async function openState(
  checked: CheckedOptions,
  nodes: readonly GatewayNode[],
  clock: Clock,
): Promise<GatewayState> {
  const { spoolDir: folder } = checked
  const stores = nodes.map(({ node }) => node)
  if (folder === undefined) {
    const board = await NoticeBoard.open(undefined, () => clock.wallNow())
    const pipes = await PipeBook.open(checked.pipes, undefined, checked.maxPipes)
    const watch = new NodeWatch(board, stores, clock)
    return { board, watch, pipes, ingest: undefined, close: async () => {}, unlock: async () => {} }
  }
  return usingFolder({ field: 'spoolDir', folder }, () => openFolder(folder, checked, stores, clock))
}

async function openFolder(
  folder: string,
  { pipes: given, isolation, breaker, readTimeoutMs, logger, nowMs, ...others }: CheckedOptions,
  nodes: readonly StoreNode[],
  clock: Clock,
): Promise<GatewayState> {
  const wallNow = () => clock.wallNow()
  await makeFolder(folder, 0o700)
  const onLost = (error: Error): void => {
    logger.error('spool lost', { error: error.message })
    // Two that write there destroy it. What was acknowledged is on disk, and the other process writes it.
    queueMicrotask(() => {
      throw error
    })
  }
  const unlock = await lockFolder(folder, { clock, onLost })
  try {
    const board = await NoticeBoard.open(join(folder, 'notices'), wallNow)
    const pipes = await PipeBook.open(given, join(folder, 'pipes'), others.maxPipes)
    for (const { pipe, fault } of pipes.refused) logger.warn('pipe refused', { pipe, fault: `its SQL ${fault}` })
    const watch = new NodeWatch(board, nodes, clock)
    const { maxBacklogBytes: maxTotalBytes, maxBacklogAgeMs: maxTotalAgeMs, fsyncIntervalMs: groupMs } = others
    const kept = { bounds: { maxTotalBytes, maxTotalAgeMs }, maxDataSources: others.maxDataSources, groupMs }
    const shared = { isolation, breaker, ...kept, logger, clock, nowMs, defineTimeoutMs: readTimeoutMs }
    const ingest = await Ingest.open({ folder, nodes, board, nodeWatch: watch, ...shared })
    const close = async (graceMs: number, ending: Ending) => {
      await ingest.close(graceMs, ending).finally(() => ending.inTime('notices', LEAST_DISK_MS, board.close()))
    }
    return { board, watch, pipes, ingest, close, unlock }
  } catch (error) {
    await unlock()
    throw error
  }
}
