import { UsageError } from '../usage-error.js'

/** Where to listen, and under which names. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
  /** Host names that requests may name, without ports; IPv6 in brackets. */
  readonly hosts: readonly string[]
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Reads `PORT`, `HOST:PORT` or `[IPv6]:PORT`.
 * @throws UsageError also for an address that others reach, where it is not said under which names
 */
export function listenAddress(text: string, allowed: readonly string[] = []): ListenAddress {
  const [, ipv6, name, digits] = /^(?:\[([0-9a-f:.]+)\]:|([^:\s[\]]+):)?(\d{1,5})$/i.exec(text) ?? []
  const port = Number(digits)
  if (digits === undefined || port > 65_535)
    throw new UsageError(`--http: ${text} is no address; write 3000, 127.0.0.1:3000 or [::1]:3000`)
  const host = ipv6 ?? name ?? '127.0.0.1'
  const isLoopback = host === 'localhost' || host === '::1' || /^127\./.test(host)
  if (!isLoopback && allowed.length === 0)
    throw new UsageError(
      `--http: others can reach ${host}, and whoever does calls with your token; if that is meant, say with --allow-host under which name`,
    )
  for (const one of allowed)
    if (/[/\s]|^[^[]*:\d*$/.test(one))
      throw new UsageError(`--allow-host: ${one} must be a host name, without scheme and port`)
  return { host, port, hosts: [...LOOPBACK, ...(name !== undefined && isLoopback ? [name] : []), ...allowed] }
}
