/** A stretch of a segment that is no records any more, and may have been acknowledged. */
export interface SpoolDamage {
  readonly path: string
  readonly offset: number
  readonly bytes: number
}

/** The disk does not give back what was written there. Nothing of that is helped by trying again. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError'

  constructor(
    readonly damaged: readonly SpoolDamage[],
    cause?: unknown,
  ) {
    super(`Spool: what is in ${damaged[0]?.path} cannot be read any more`, { cause })
  }
}

/** What a disk says of what it has lost; all else, such as too many open files, is over some time. */
const LOST: readonly (string | undefined)[] = ['EIO', 'ENOENT']

/** @throws DamagedError with this stretch, where the disk has lost it; what else the reading throws, as it is */
export async function reading<T>(stretch: SpoolDamage, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (LOST.includes((error as NodeJS.ErrnoException).code)) throw new DamagedError([stretch], error)
    throw error
  }
}
