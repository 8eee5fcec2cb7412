import { describe, expect, test } from 'vitest'
import { EventParser } from '../src/status/event-parser.js'

const stream =
  'event: status\ndata: {"a":1}\n\n: still here\n\ndata: one\r\ndata:two\r\n\r\nevent: empty\n\ndata:  kept\rid: 7\r\rdata: cut off'
const events = [
  { type: 'status', data: '{"a":1}' },
  { type: 'message', data: 'one\ntwo' },
  { type: 'message', data: ' kept' },
]

describe('a stream of events', () => {
  test('is taken apart as the standard says, its comments and what is incomplete left out', () => {
    expect(new EventParser().push(stream)).toEqual(events)
  })

  test.each([1, 2, 3, 7])('comes to the same in pieces of %i', (size) => {
    const parser = new EventParser()
    const parts = stream.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    expect(parts.flatMap((part) => parser.push(part))).toEqual(events)
  })
})
