import type { Clock } from '@sluice/core'
import { TookTooLongError, within } from './within.js'

/** How a pipeline was closed. */
export interface PipelineClosed {
  /** Accepted and not written: the next process does that. */
  readonly rowsLeft: number
  /**
   * What the disk had not taken by then, in words: it may take it yet, so that nobody else may have the folder of the spool
   * before this process has ended. Left out where there is nothing.
   */
  readonly unended?: readonly string[]
  /** Fulfils when that has ended after all; never on a disk that hangs for good. Left out as well. */
  readonly ended?: Promise<void>
}

/** What a pipeline has left to do when it closes. */
export interface ClosingOptions {
  readonly clock: Clock
  /** Fulfils when what was on its way to the disk is there. */
  readonly accepted: () => Promise<void>
  /** Writes what is gathered, as far as that can be written. */
  readonly written: () => Promise<void>
  /** Begins nothing any more. */
  readonly stop: () => void
  readonly marked: () => Promise<void>
  readonly spoolClosed: () => Promise<void>
}

/** Of the grace, for what is put on disk at the end; and in ms, so much at least for each step of it. */
const DISK_SHARE = 0.1
const LEAST_DISK_MS = 500

/**
 * Ends a pipeline within its grace, or little more where that is short, also on a disk that hangs.
 * @throws what the spool says
 */
export async function closeWithin(graceMs: number, options: ClosingOptions): Promise<Omit<PipelineClosed, 'rowsLeft'>> {
  const { clock, accepted, written, stop, marked, spoolClosed } = options
  const sinceMs = clock.now()
  const unended: string[] = []
  const late: Promise<void>[] = []
  const inTime = async (what: string, ms: number, act: () => Promise<void>): Promise<void> => {
    const ended = act()
    try {
      await within(clock, Math.max(0, ms), () => ended)
    } catch (error) {
      if (!(error instanceof TookTooLongError)) throw error
      if (what === '') return
      unended.push(what)
      late.push(ended)
    }
  }
  const writeMs = graceMs * (1 - DISK_SHARE)
  // One batch that hangs on its way to the disk keeps nothing else from being written. What is not written waits on disk.
  await Promise.all([
    inTime('', writeMs, written),
    inTime('batches on their way to the disk', writeMs, accepted).then(() =>
      inTime('', writeMs - clock.now() + sinceMs, written),
    ),
  ])
  stop()
  const diskMs = Math.max((graceMs - clock.now() + sinceMs) / 2, LEAST_DISK_MS)
  await inTime('marks of what is written', diskMs, marked)
  await inTime('the spool', diskMs, spoolClosed)
  if (unended.length === 0) return {}
  return { unended, ended: Promise.allSettled(late).then(() => undefined) }
}
