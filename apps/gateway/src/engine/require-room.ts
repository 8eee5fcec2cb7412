import { statfs } from 'node:fs/promises'

/**
 * A quarter of what events leave alone of the disk that they share by default: a backlog that has filled it must get its
 * table, or would never be written. More than is written anywhere while a table is made.
 */
const LEAST_BYTES = 8_388_608
/** ClickHouse's number for a disk that is full. */
const NOT_ENOUGH_SPACE = 243

/**
 * On a full disk this engine says that a table is made or changed, and leaves its definition empty: it cannot be opened
 * again over that, for nobody's tables (chdb 26.7). So it is not asked to.
 * @param sql what it is to run
 * @throws Error as the engine's own of a full disk
 */
export async function requireRoom(folder: string, sql: string): Promise<void> {
  if (!/^\s*(CREATE|ALTER)\b/.test(sql)) return
  const { bavail, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  if (freeBytes >= LEAST_BYTES) return
  const message = `Code: 243. The disk of ${folder} has ${freeBytes} bytes left; tables are made and changed from ${LEAST_BYTES} on`
  throw Object.assign(new Error(message), { clickhouseCode: NOT_ENOUGH_SPACE })
}
