import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, extname, join, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Handler } from 'hono'
import { ConfigError } from '../config-error.js'
import type { GatewayEnv } from './env.js'

/** The types of what a page is built of. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The page may load and ask nothing but what is beside it, and is shown in nobody's frame. */
const POLICY = [
  "default-src 'self'",
  ...['object-src', 'base-uri', 'form-action', 'frame-ancestors'].map((what) => `${what} 'none'`),
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Accept-Encoding',
}

/** As builds write them. Anything else would be a pattern to the router, or need an encoding in an address. */
const NAME = /^[\w.-]+$/

interface StaticFile {
  readonly headers: Readonly<Record<string, string>>
  /** The part of its `ETag` that is compared. */
  readonly tag: string
  readonly plain: Uint8Array<ArrayBuffer>
  readonly gzipped: Uint8Array<ArrayBuffer>
}

/**
 * Reads a built page: `index.html`, and `assets/` with a hash in each name. All of it is kept in memory, so that no
 * request can name a file that was not there at the start.
 *
 * @returns what answers each path: `/` and `/assets/…`
 * @throws ConfigError where there is no such page, or it has what pages have not: a file of another kind, a folder, or a
 *   link that leads out of it
 */
export function readPage(folder: string): ReadonlyMap<string, Handler<GatewayEnv>> {
  if (!existsSync(join(folder, 'index.html')))
    throw new ConfigError('options', 'consoleDir', `is ${folder}, which has no index.html; build the page first`)
  const assets = existsSync(join(folder, 'assets')) ? readdirSync(join(folder, 'assets')) : []
  const handlers = new Map<string, Handler<GatewayEnv>>()
  handlers.set('/', answer(read(folder, 'index.html', 'no-cache')))
  for (const name of assets)
    handlers.set(`/assets/${name}`, answer(read(folder, `assets/${name}`, 'public, max-age=31536000, immutable')))
  return handlers
}

function read(folder: string, name: string, caching: string): StaticFile {
  const file = join(folder, name)
  const type = TYPES[extname(name)]
  if (type === undefined || !statSync(file, { throwIfNoEntry: false })?.isFile() || !NAME.test(basename(name)))
    throw new ConfigError(
      'options',
      'consoleDir',
      `has ${name}; a page is made of files that end in ${Object.keys(TYPES).join(', ')}`,
    )
  if (!realpathSync(file).startsWith(realpathSync(folder) + sep))
    throw new ConfigError(
      'options',
      'consoleDir',
      `has ${name}, a link that leads out of it; put the file itself there`,
    )
  const plain = new Uint8Array(readFileSync(file))
  const tag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  // Weak: it is the same whether the file is sent compressed or not.
  const headers = { ...HEADERS, 'content-type': type, 'cache-control': caching, etag: `W/${tag}` }
  return { headers, tag, plain, gzipped: new Uint8Array(gzipSync(plain)) }
}

function answer({ headers, tag, plain, gzipped }: StaticFile): Handler<GatewayEnv> {
  return (c) => {
    const known = c.req.header('if-none-match')
    if (known?.trim() === '*' || known?.includes(tag)) return c.body(null, 304, headers)
    const zipped = takesGzip(c.req.header('accept-encoding') ?? '')
    return zipped ? c.body(gzipped, 200, { ...headers, 'content-encoding': 'gzip' }) : c.body(plain, 200, headers)
  }
}

/** Where gzip is named, and not with a weight of 0 (RFC 9110, section 12.5.3). */
function takesGzip(accepted: string): boolean {
  return accepted.split(',').some((coding) => /^\s*(x-)?gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(coding))
}
