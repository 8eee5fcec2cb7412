import type { Notice } from '@sluice/ingest'
import { partsOf } from '../ingest/source-key.js'
import type { BoardNotice } from './notice-board.js'

/** What a pipeline says of a data source (I7), in words for its owners. */
export function wordsOf({ source, state, before, reason, untilMs }: Notice): Omit<BoardNotice, 'number' | 'atMs'> {
  const name = partsOf(source).name
  const until = untilMs === null ? '' : ` until ${new Date(untilMs).toISOString().slice(11, 19)} UTC`
  // The state is as it was: something was done to it.
  if (state === before) return { level: 'warning', kind: 'backlog-dropped', source, message: `"${name}": ${reason}.` }
  const message = {
    delayed: `Writes to "${name}" are held back${until}: ${reason}. Events are still accepted.`,
    limited: `"${name}" takes fewer events${until}: ${reason}. An owner may lift that (liftLimit).`,
    'delay-does-not-help': `Writes to "${name}" are no longer held back, though it does not keep up: ${reason}.`,
    flowing: `"${name}" is written as usual again.`,
  }[state]
  const level = state === 'flowing' ? 'info' : state === 'delayed' ? 'warning' : 'error'
  return { level, kind: state, source, message }
}
