import type { Context } from 'hono'
import { partsOf } from '../ingest/source-key.js'
import { type BoardNotice, isFor, type NoticeBoard } from '../notices/notice-board.js'
import type { NoticeFeed } from '../notices/notice-feed.js'
import type { StreamPlaces } from '../status/stream-places.js'
import { viewerOf } from '../status/viewer.js'
import type { Body } from './contract.js'
import type { GatewayEnv } from './env.js'
import { openStream } from './open-stream.js'
import { cursor, optionalName, pageLimit, pageOf, readQuery } from './query-parameters.js'
import { badParameters } from './refusal.js'

/** `GET /v1/notices`: the newest first. */
export function listNotices(c: Context<GatewayEnv>, board: NoticeBoard): Response {
  const { limit, cursor: before, data_source } = readQuery(c, { limit: pageLimit, cursor, data_source: optionalName })
  const isShown = shownTo(c, data_source)
  const end = before === undefined ? Number.POSITIVE_INFINITY : (numberOf(before) ?? 0)
  const rest = [...board.after(0, c.var.namespace.tenant)].reverse().filter((it) => it.number < end && isShown(it))
  const { page, next_cursor } = pageOf(rest, limit, idOf)
  return c.json({
    notices: page.map(describe),
    next_cursor,
  } satisfies Body['NoticeList'])
}

/** `GET /v1/notices/stream`: those after `Last-Event-ID`, and then as they are written. */
export function streamNotices(
  c: Context<GatewayEnv>,
  board: NoticeBoard,
  feed: NoticeFeed,
  places: StreamPlaces,
): Response {
  const { data_source } = readQuery(c, { data_source: optionalName })
  const isShown = shownTo(c, data_source)
  const seen = c.req.header('last-event-id')
  const after = seen === undefined ? board.lastNumber : numberOf(seen)
  if (after === undefined) {
    const message = 'is no id of a notice; send that of the last one that was seen, or none'
    throw badParameters([{ parameter: 'Last-Event-ID', value: (seen ?? '').slice(0, 64), message }])
  }
  const frameOf = (it: BoardNotice) =>
    isShown(it) ? `id: ${idOf(it)}\nevent: notice\ndata: ${JSON.stringify(describe(it))}\n\n` : undefined
  return openStream(c, places, (onLeave) => feed.follow(c.var.namespace.tenant, after, frameOf, onLeave))
}

function shownTo(c: Context<GatewayEnv>, name: string | undefined): (notice: BoardNotice) => boolean {
  const { namespace, sees } = viewerOf(c.var.token, c.var.namespace)
  return (it) => {
    const isMeant = name === undefined || (it.source !== null && partsOf(it.source).name === name)
    return isMeant && isFor(it, namespace, sees)
  }
}

function describe(it: BoardNotice): Body['Notice'] {
  const { atMs, level, kind, source, message } = it
  const data_source = source === null ? null : partsOf(source).name
  return { id: idOf(it), at: new Date(atMs).toISOString(), level, kind, data_source, message }
}

const idOf = ({ number }: BoardNotice): string => `n-${String(number).padStart(8, '0')}`

function numberOf(id: string): number | undefined {
  const [, digits] = /^n-(\d{8,15})$/.exec(id) ?? []
  return digits === undefined ? undefined : Number(digits)
}
