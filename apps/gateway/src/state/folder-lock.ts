import { randomBytes } from 'node:crypto'
import { link, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '@sluice/core'
import { z } from 'zod'
import { ConfigError } from '../config-error.js'
import { lineIn } from './kept-form.js'

/**
 * Who holds a folder. A number of a process is used again, and after a start of the machine soon: so also since when. And it
 * means another process in another container (`space`), whose name of a host may be the same.
 */
const holderSchema = z.object({
  host: z.string(),
  pid: z.int().positive(),
  since: z.string(),
  space: z.string().optional(),
})
type Holder = z.infer<typeof holderSchema>

/** Who has a folder shows so often that it is there. */
const BEAT_MS = 2000
/** Who has shown nothing for so long is gone. */
const SILENT_MS = 10_000

/** What a lock is made of. */
export interface LockOptions {
  readonly clock: Pick<Clock, 'timer' | 'wallNow'>
  /** Another process has taken it, which took this one for gone: write nothing any more. */
  readonly onLost: (error: Error) => void
}

/**
 * Takes a folder for this process alone, as two that wrote to one spool would destroy it. What a process left that has
 * ended, however it ended, is taken over: at once where this process can see that it has, and after ten seconds without a
 * sign of life where it was in another container.
 *
 * @returns what gives it back
 * @throws ConfigError where another process has it
 */
export async function lockFolder(folder: string, options: LockOptions): Promise<() => Promise<void>> {
  const path = join(folder, 'lock')
  const own = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  const space = await readlink('/proc/self/ns/pid').catch(() => undefined)
  const me: Holder = { host: hostname(), pid: process.pid, since: await startOf(process.pid), space }
  const text = JSON.stringify(me)
  try {
    await writeFile(own, text, { mode: 0o600 })
    while (!(await linked(own, path))) await takeOver(path, folder, `${own}.old`, { space, clock: options.clock })
  } finally {
    await rm(own, { force: true }).catch(() => undefined) // what went wrong first is told
  }
  const stop = beat(path, text, options)
  return async () => {
    stop()
    await rm(path, { force: true })
  }
}

/** Shows that this process is there, until it is stopped. */
function beat(path: string, text: string, { clock, onLost }: LockOptions): () => void {
  let isStopped = false
  let stop = (): void => {}
  const show = async (): Promise<void> => {
    // Where it cannot be read, as where no more files may be open, nobody has said anything.
    const found = await readFile(path, 'utf8').catch((error) => (error.code === 'ENOENT' ? '' : text))
    if (isStopped) return
    if (found !== text) return onLost(new Error(`${path} is another process's by now; this one writes there no more`))
    const seconds = clock.wallNow() / 1000
    await utimes(path, seconds, seconds).catch(() => undefined) // a disk that fails is told by what is written there
    next()
  }
  const next = (): void => {
    if (!isStopped) stop = clock.timer(BEAT_MS, () => void show())
  }
  next()
  return () => {
    isStopped = true
    stop()
  }
}

/** A link is made only where there is no file of that name, which of two processes one sees first. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false // fs rejects with errno exceptions only
    throw error
  }
}

/** Who looks at a lock: from which container, and with which clock. */
interface Looker {
  readonly space: string | undefined
  readonly clock: Pick<Clock, 'timer'>
}

/** Takes away what nobody holds any more. @throws ConfigError where somebody does */
async function takeOver(path: string, folder: string, aside: string, looker: Looker): Promise<void> {
  const seen = await read(path)
  if (seen === undefined) return
  await refuseIfHeld(seen, folder, path, looker)
  await rename(path, aside).catch(() => undefined) // another was faster
  const taken = await read(aside)
  await rm(aside, { force: true })
  // Between the look and the move another process may have taken it: then it was that one's.
  if (taken !== undefined && taken !== seen) {
    await writeFile(path, taken, { flag: 'wx', mode: 0o600 }).catch(() => undefined)
    await refuseIfHeld(taken, folder, path, looker)
  }
}

async function refuseIfHeld(text: string, folder: string, path: string, looker: Looker): Promise<void> {
  const holder = lineIn(holderSchema, text)
  if (holder === undefined) return // cut off while it was written
  const field = 'spoolDir'
  if (holder.host !== hostname())
    throw new ConfigError(
      'options',
      field,
      `${folder} was taken by process ${holder.pid} on ${holder.host}; where that is gone, remove ${path}`,
    )
  if (holder.space !== looker.space) {
    if (!(await beats(path, looker.clock))) return
    const other = `${folder} is in use by process ${holder.pid} of another container`
    throw new ConfigError('options', field, `${other}; one gateway a folder`)
  }
  if ((await startOf(holder.pid)) === holder.since && holder.since !== '')
    throw new ConfigError('options', field, `${folder} is in use by process ${holder.pid}; one gateway a folder`)
}

/** Whether whoever has it shows that it is there, or lets go of it. */
async function beats(path: string, clock: Pick<Clock, 'timer'>): Promise<boolean> {
  const shownMs = () =>
    stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    )
  const first = await shownMs()
  for (let waitedMs = 0; waitedMs < SILENT_MS; waitedMs += BEAT_MS / 2) {
    await new Promise<void>((resolve) => clock.timer(BEAT_MS / 2, resolve))
    const now = await shownMs()
    if (now !== first) return now !== undefined
  }
  return false
}

const read = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined)

/** When a process began, as its system tells it; empty: there is no such process. */
async function startOf(pid: number): Promise<string> {
  const stat = await read(`/proc/${pid}/stat`)
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A zombie has ended. The start is in ticks since the machine's, so that goes beside it.
  if (fields !== undefined)
    return fields[0] === 'Z' ? '' : `${fields[19]} ${(await read('/proc/sys/kernel/random/boot_id'))?.trim()}`
  try {
    process.kill(pid, 0)
    return 'alive' // where there is no /proc nothing tells since when
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'alive' : ''
  }
}
