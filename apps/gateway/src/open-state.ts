import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@sluice/core'
import { ConfigError } from './config-error.js'
import type { CheckedOptions } from './gateway-options.js'
import { Ingest } from './ingest/ingest.js'
import type { GatewayNode } from './limit/gateway-nodes.js'
import { NoticeBoard } from './notices/notice-board.js'
import { PipeBook } from './pipes/pipe-book.js'
import { lockFolder } from './state/folder-lock.js'
import { JsonFile } from './state/json-file.js'
import { LineLog } from './state/line-log.js'

/** What a gateway keeps, as an earlier one left it. */
export interface GatewayState {
  readonly board: NoticeBoard
  readonly pipes: PipeBook
  /** Undefined: it keeps nothing. */
  readonly ingest: Ingest | undefined
  /** Writes what can be written. */
  close(graceMs: number): Promise<void>
  /** Lets go of the folder, when nothing of this process writes to it any more. */
  unlock(): Promise<void>
}

const NOTICES_BYTES = 4 * 1_048_576

/**
 * Reads what is kept in the folder of the spool, which is this process's alone from now on.
 * @throws ConfigError where another process has it, or what is in it cannot be used
 */
export async function openState(
  checked: CheckedOptions,
  nodes: readonly GatewayNode[],
  clock: Clock,
): Promise<GatewayState> {
  const { spoolDir: folder, isolation, breaker, readTimeoutMs, logger, nowMs } = checked
  const wallNow = () => clock.wallNow()
  if (folder === undefined) {
    const board = await NoticeBoard.open(undefined, wallNow)
    const pipes = await PipeBook.open(checked.pipes, undefined)
    return { board, pipes, ingest: undefined, close: async () => {}, unlock: async () => {} }
  }
  await make(folder)
  const unlock = await lockFolder(folder)
  try {
    const log = new LineLog({ path: join(folder, 'notices'), maxBytes: NOTICES_BYTES })
    const board = await NoticeBoard.open(log, wallNow)
    const pipes = await PipeBook.open(checked.pipes, new JsonFile(join(folder, 'pipes.json')))
    const stores = nodes.map(({ node }) => node)
    const shared = { isolation, breaker, logger, clock, nowMs, defineTimeoutMs: readTimeoutMs }
    const ingest = await Ingest.open({ folder, nodes: stores, board, ...shared })
    const close = async (graceMs: number) => {
      await ingest.close(graceMs)
      await board.close()
    }
    return { board, pipes, ingest, close, unlock }
  } catch (error) {
    await unlock()
    throw error
  }
}

async function make(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // fs rejects with errno exceptions only
    throw new ConfigError('options', 'spoolDir', `${folder} cannot be made (${code}); name a folder that can`)
  }
}
