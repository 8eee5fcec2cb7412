import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '../config-error.js'

/** Who holds a folder. A number of a process is used again, and after a start of the machine soon: so also since when. */
interface Holder {
  readonly host: string
  readonly pid: number
  readonly since: string
}

/**
 * Takes a folder for this process alone, as two that wrote to one spool would destroy it. What a process left that has
 * ended, however it ended, is taken over.
 *
 * @returns what gives it back
 * @throws ConfigError where another process has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'lock')
  const own = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  const me: Holder = { host: hostname(), pid: process.pid, since: await startOf(process.pid) }
  try {
    await writeFile(own, JSON.stringify(me), { mode: 0o600 })
    while (!(await linked(own, path))) await takeOver(path, folder, `${own}.old`)
  } finally {
    await rm(own, { force: true }).catch(() => undefined) // what went wrong first is told
  }
  return () => rm(path, { force: true })
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

/** Takes away what nobody holds any more. @throws ConfigError where somebody does */
async function takeOver(path: string, folder: string, aside: string): Promise<void> {
  const seen = await read(path)
  if (seen === undefined) return
  await refuseIfHeld(seen, folder, path)
  await rename(path, aside).catch(() => undefined) // another was faster
  const taken = await read(aside)
  await rm(aside, { force: true })
  // Between the look and the move another process may have taken it: then it was that one's.
  if (taken !== undefined && taken !== seen) {
    await writeFile(path, taken, { flag: 'wx', mode: 0o600 }).catch(() => undefined)
    await refuseIfHeld(taken, folder, path)
  }
}

async function refuseIfHeld(text: string, folder: string, path: string): Promise<void> {
  const holder = holderIn(text)
  if (holder === undefined) return
  const field = 'spoolDir'
  if (holder.host !== hostname())
    throw new ConfigError(
      'options',
      field,
      `${folder} was taken by process ${holder.pid} on ${holder.host}; where that is gone, remove ${path}`,
    )
  if ((await startOf(holder.pid)) === holder.since && holder.since !== '')
    throw new ConfigError('options', field, `${folder} is in use by process ${holder.pid}; one gateway a folder`)
}

function holderIn(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder // only what this file wrote is named so
  } catch {
    return undefined // cut off while it was written
  }
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
