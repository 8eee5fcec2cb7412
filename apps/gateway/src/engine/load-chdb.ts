import type { Session } from 'chdb'

/** Opens one connection to the engine on the process's data directory. */
export type OpenSession = (connectionArgs: readonly string[]) => Session

/** Why the engine cannot be used, in words for whoever started the gateway. */
export class EngineMissingError extends Error {
  override readonly name = 'EngineMissingError'
}

/**
 * Loads chdb, which only this process ever does.
 * @param config a file of settings
 * @throws EngineMissingError where the package or its binary is not installed
 */
export async function loadChdb(path: string, config: string): Promise<{ version: string; openSession: OpenSession }> {
  try {
    const { Session, version } = await import('chdb')
    return {
      version: version().libchdb.replaceAll('"', ''),
      openSession: (connectionArgs) =>
        new Session(path, { connectionArgs: [`--config-file=${config}`, ...connectionArgs] }),
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new EngineMissingError(
      `The embedded engine (chdb, an optional dependency, Linux and macOS only) cannot be loaded on ` +
        `${process.platform}-${process.arch}: run \`pnpm install\` where it can fetch optional dependencies. (${reason})`,
    )
  }
}
