import { describe, expect, test } from 'vitest'
import { stand } from './stand.js'

const NEVER = new Promise<never>(() => {})

describe('closing, where something hangs', () => {
  test('that is a batch on its way to the disk: all others are written, and it is told', async () => {
    const it = await stand(['n1'], { quarantine: () => NEVER })
    await it.send('a', ['1'])
    void it.pipeline.accept('b', [{ partition: 'p', row: '2' }], { bad: [{ row: '{', reason: 'no' }] })
    const sinceMs = it.clock.now()
    expect(await it.clock.run(it.pipeline.close(5000))).toEqual({
      rowsLeft: 0,
      unended: ['batches on their way to the disk'],
      ended: expect.any(Promise),
    })
    expect(it.clock.now() - sinceMs).toBeLessThanOrEqual(5000)
    expect([it.one.rows, it.spool.isClosed, it.clock.pending()]).toEqual([['1'], true, 0])
  })

  test('that is a batch that comes to the disk in time: it is written as well', async () => {
    let comes = (): void => {}
    const it = await stand(['n1'], { quarantine: () => new Promise((resolve) => (comes = resolve)) })
    const accepted = it.pipeline.accept('b', [{ partition: 'p', row: '2' }], { bad: [{ row: '{', reason: 'no' }] })
    const closing = it.pipeline.close(5000)
    await it.clock.advance(4000)
    comes()
    expect(await it.clock.run(closing)).toEqual({ rowsLeft: 0 })
    expect([(await accepted).status, it.one.rows]).toEqual([202, ['2']])
  })

  test('that is an insert: a tenth of the time is left to the disk', async () => {
    const it = await stand()
    it.one.fate = () => 'hangs'
    await it.send('a', ['1'])
    const sinceMs = it.clock.now()
    expect(await it.clock.run(it.pipeline.close(5000))).toEqual({ rowsLeft: 1 })
    expect([it.clock.now() - sinceMs, it.spool.isClosed]).toEqual([4500, true])
  })

  test.each([
    ['the marks', 'done' as const, ['marks of what is written'], 5000],
    ['the end of the spool', 'close' as const, ['the spool'], 5000],
    ['the end of the spool, and there is no time', 'close' as const, ['the spool'], 0],
  ])('that is %s', async (_, what, unended, graceMs) => {
    const it = await stand()
    it.spool[what] = () => NEVER
    if (graceMs > 0) await it.send('a', ['1'])
    const sinceMs = it.clock.now()
    expect(await it.clock.run(it.pipeline.close(graceMs))).toEqual({ rowsLeft: 0, unended, ended: expect.any(Promise) })
    expect(it.clock.now() - sinceMs).toBeLessThanOrEqual(Math.max(graceMs, 500))
  })

  test('what the spool says is said, and who waits for a write is told', async () => {
    const it = await stand()
    it.one.fate = () => 'hangs'
    const accepted = await it.pipeline.accept('a', [{ partition: 'p', row: '1' }])
    if (accepted.status !== 202) throw new Error('refused')
    const written = expect(accepted.written()).rejects.toThrow('the next process writes them')
    it.spool.close = () => Promise.reject(new Error('EIO'))
    const closing = expect(it.pipeline.close(1000)).rejects.toThrow('EIO')
    await it.clock.advance(2000)
    await Promise.all([closing, written])
  })

  test('after the writes have used it up, the marks and the spool have half a second each, and what is late is heard of', async () => {
    const it = await stand()
    it.one.fate = () => 'hangs'
    await it.send('a', ['1'])
    let comes = (): void => {}
    it.spool.close = () => new Promise((resolve) => (comes = resolve))
    const sinceMs = it.clock.now()
    const { unended, ended } = await it.clock.run(it.pipeline.close(1000))
    expect([unended, it.clock.now() - sinceMs]).toEqual([['the spool'], 1400])
    comes()
    await ended
  })
})
