import { expect, it } from 'vitest'
import { Progress, stageLine } from '../src/progress.js'

function progressOn(stream: { isTTY?: boolean; columns?: number }, env: NodeJS.ProcessEnv = {}) {
  const written: string[] = []
  return { written, progress: new Progress({ ...stream, write: (text) => written.push(text) }, env) }
}

it('writes one line over and over, and takes it away', () => {
  const { written, progress } = progressOn({ isTTY: true })
  for (const text of ['1 of 2', '1 of 2', '2 of 2']) progress.show(text)
  progress.clear()
  progress.clear()
  expect(written).toEqual(['\r\u001b[K1 of 2', '\r\u001b[K2 of 2', '\r\u001b[K'])
})

it('is cut to the width of the terminal, for a wrapped line could not be taken away', () => {
  const { written, progress } = progressOn({ isTTY: true, columns: 10 })
  progress.show('0123456789abc')
  expect(written).toEqual(['\r\u001b[K012345678'])
})

it('takes a width of 0 for unknown, as pseudo-terminals have it', () => {
  const { written, progress } = progressOn({ isTTY: true, columns: 0 })
  progress.show('1 of 2')
  expect(written).toEqual(['\r\u001b[K1 of 2'])
})

it.each([
  ['where nobody looks', {}, {}],
  ['on a terminal that cannot', { isTTY: true }, { TERM: 'dumb' }],
])('says nothing %s', (_, stream, env) => {
  const { written, progress } = progressOn(stream, env)
  progress.show('1 of 2')
  progress.clear()
  expect(written).toEqual([])
})

it('names who is waiting, where that is known', () => {
  const stage = { name: '@sluice/fetch', calls: 20, done: 11 }
  expect(stageLine({ ...stage, waiting: 6 })).toBe('@sluice/fetch: 11 of 20 done, 6 waiting')
  expect(stageLine({ ...stage, waiting: undefined })).toBe('@sluice/fetch: 11 of 20 done')
})
