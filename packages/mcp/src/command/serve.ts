import { saysYes } from '@sluice/core/words'
import { privateHeaders } from '@sluice/fetch'
import type { CallEnded } from '../call/settings.js'
import { createMcpServers } from '../serve/create-mcp-server.js'
import type { World } from '../world.js'
import { headersOf } from './arguments.js'
import { listenAddress } from './listen-address.js'
import { logOf } from './log.js'
import type { Flags } from './program.js'
import { readApi } from './read-api.js'
import { targetOf } from './target.js'
import { readToken } from './token.js'

/** Reads what the command line names, and serves until it is told to end. */
export async function serve(world: World, flags: Flags): Promise<void> {
  const { env } = world
  const log = logOf(world.stderr, flags.logLevel)
  const address = flags.http === undefined ? undefined : listenAddress(flags.http, flags.allowHost)
  const headers = headersOf(flags.header ?? [])
  const token = await readToken(flags.tokenFile, env.SLUICE_TOKEN)
  const document = await readApi(flags.openapi, world)
  const hasSecret = token !== undefined || privateHeaders(headers).length > 0
  const baseUrl = targetOf(document, { baseUrl: flags.baseUrl, isDefault: flags.openapi === undefined, hasSecret })
  const servers = await createMcpServers({
    ...{ document, baseUrl, token, headers, maxChars: flags.maxChars, errorMode: flags.errorMode },
    ...{ include: flags.include, exclude: flags.exclude, allowWrite: flags.allowWrite, deadlineMs: flags.deadline },
    ...{ fetch: world.fetch, clock: world.clock, random: world.random },
    retry: flags.retry && !saysYes(env.SLUICE_NO_RETRY),
    onEnd: (event) => log.debug(lineOf(event)),
    logger: log,
  })
  for (const note of document.notes) log.debug(note)
  for (const line of servers.leftOut) log.debug(`left out: ${line}`)
  log.info(`${servers.tools.length} tools of ${document.title} ${document.version}, called at ${baseUrl}`)
  if (address) {
    const { serveHttp } = await import('../serve/serve-http.js')
    await serveHttp(servers, address, world.signal, log)
  } else {
    const { serveStdio } = await import('../serve/serve-stdio.js')
    await serveStdio(servers, world, log)
  }
}

const lineOf = ({ tool, end: { kind, status, attempts, waitedMs } }: CallEnded): string =>
  `${tool}: ${kind}${status === null ? '' : `, HTTP ${status}`}, ${attempts} attempts, ${waitedMs} ms waited`
