import { spawnSync } from 'node:child_process'
import { mkdirSync, statfsSync } from 'node:fs'

/** A file system in memory of a few megabytes. */
export interface SmallDisk {
  readonly folder: string
  readonly freeBytes: number
  unmount(): void
}

/** @throws Error that says what the machine does not allow */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true })
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'sluice', folder])
  if (status !== 0) {
    const said = (error ? String(error) : String(stderr)).trim()
    throw new Error(
      `This machine does not let a small disk be made (mount -t tmpfs: ${said}). A full disk cannot be tried on it: run this as root, in a container with CAP_SYS_ADMIN.`,
    )
  }
  return {
    folder,
    get freeBytes() {
      const { bavail, bsize } = statfsSync(folder)
      return bavail * bsize
    },
    unmount: () => void spawnSync('umount', ['-l', folder]),
  }
}
