import { ConfigError } from '../../config-error.js'
import type { Logger } from '../../logger.js'
import { noOthers, object, shown } from '../../option-values.js'

/** Where the tables of a node with replicas agree with each other. */
export interface Replicated {
  /** In ZooKeeper or ClickHouse Keeper, below which each table has its own: `/sluice/tables`. The same for all replicas. */
  readonly path: string
  /** This one's name: each replica has its own. */
  readonly replica: string
}

/** A ClickHouse server. */
export interface ServerNodeOptions {
  /** By which status, log, routes and the spool name it: no other node's, and the same after a restart. */
  readonly name: string
  /** `http://` or `https://`, of one server: behind a balancer a lost insert could not be looked for. */
  readonly url: string
  /** Default `default`. */
  readonly user?: string
  /** Default none. */
  readonly password?: string
  /** Default: tables of this server alone. */
  readonly replicated?: Replicated
  readonly logger: Logger
}

const [MEMBERS, OF_REPLICATED] = [
  ['name', 'url', 'user', 'password', 'replicated'],
  ['path', 'replica'],
]

/**
 * @param at the place of it in the options: `nodes.0`
 * @throws ConfigError, which repeats neither user nor password
 */
export function checkServer({ logger: _, ...server }: ServerNodeOptions, at = `nodes.${server.name}`): void {
  const { name, url, user, password: secret, replicated } = server
  const refuse = (field: string, what: string): never => {
    throw new ConfigError('options', `${at}.${field}`, what)
  }
  noOthers(`${at}.`, server, MEMBERS)
  // What is left out would pass a pattern as the text `undefined`.
  const fits = (value: unknown, pattern: RegExp) => typeof value === 'string' && pattern.test(value)
  if (!fits(name, /^[A-Za-z0-9._-]{1,64}$/))
    refuse('name', `is ${shown(name)}; it must be 1 to 64 of A-Z, a-z, 0-9 and ._-`)
  if (typeof url !== 'string' || !/^[a-z][a-z0-9+.-]*:\/\//i.test(url) || !URL.canParse(url))
    refuse('url', `is ${shown(url)}; it must be the URL of a ClickHouse server, as http://127.0.0.1:8123`)
  const { protocol, username, password, search, hash } = new URL(url)
  if (username || password) refuse('url', 'holds a user or a password; give them as user and password')
  // The client would take settings from there, and secrets among them.
  if (search || hash) refuse('url', 'has what begins with ? or #, which may hold secrets; leave that out')
  if (!/^https?:$/.test(protocol)) refuse('url', `begins with ${protocol}//; it must begin with http:// or https://`)
  if (!isTextOrNone(user)) refuse('user', 'is no text; give the name of a user, or leave it out')
  if (!isTextOrNone(secret)) refuse('password', 'is no text; give a text, or leave it out')
  if (replicated === undefined) return
  noOthers(`${at}.replicated.`, object(`${at}.replicated`, replicated, '{ path, replica }'), OF_REPLICATED)
  const { path, replica } = replicated
  if (!fits(path, /^(\/[A-Za-z0-9_.{}-]+)+$/))
    refuse('replicated.path', `is ${shown(path)}; it must be as /sluice/tables, with A-Z, a-z, 0-9, _.- and {macros}`)
  if (!fits(replica, /^[A-Za-z0-9_.{}-]+$/))
    refuse('replicated.replica', `is ${shown(replica)}; it must be A-Z, a-z, 0-9, _.- and {macros} only`)
}

const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === 'string'
