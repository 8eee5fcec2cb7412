import { systemClock } from '@sluice/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IngestScene, playIngest } from '../../src/ingest/act.js'
import { freshnessIn, type IngestFigures, noticesOf } from '../../src/ingest/figures.js'
import { doubtsAboutIngest } from '../../src/ingest/verdict.js'
import { INGEST, type Service, startService } from '../../src/service.js'

describe('a data source that runs away, played once and short', () => {
  const scenes: IngestScene[] = []
  let service: Service
  let figures: IngestFigures
  beforeAll(async () => {
    // The runaway is flushed five times as often as the others, so that an event of it is old after a second.
    service = await startService(0, [INGEST], 1, { holdMs: 1000 })
    figures = await playIngest({
      url: service.url,
      secret: service.secretOf(INGEST),
      lengths: {
        flush: 1000,
        runawayFlush: 200,
        calm: 800,
        open: 30_000,
        goOn: 300,
        recover: 60_000,
        flights: 120_000,
      },
      clock: systemClock,
      signal: new AbortController().signal,
      onScene: (scene) => scenes.push(scene),
    })
  }, 120_000)
  afterAll(() => service?.close())

  it('is delayed, and its owner is told so once for each hold, and when it recovers', () => {
    const kinds = noticesOf(figures, 'runaway').map(({ kind }) => kind)
    expect(kinds[0]).toBe('delayed')
    expect(kinds.filter((kind, index) => kind === kinds[index - 1])).toEqual([])
    const { runawayMs, openedMs, stoppedMs, recoveredMs } = figures.moments
    expect(openedMs).toBeGreaterThan(runawayMs)
    expect(stoppedMs).toBeGreaterThan(openedMs ?? Number.POSITIVE_INFINITY)
    expect(recoveredMs).toBeGreaterThan(stoppedMs)
  })

  it('keeps everything that was accepted, each event once: the real flights, and its own', () => {
    expect(figures.countedOthers).toEqual({ sent: 20_000, rows: 20_000, events: 20_000 })
    const { sent, rows, events } = figures.countedRunaway
    expect([rows, events]).toEqual([sent, sent])
    expect(sent).toBeGreaterThan(500)
  })

  it('leaves the others as they were', () => {
    const others = figures.notices.filter(({ data_source, level }) => data_source !== 'runaway' && level !== 'info')
    expect(others).toEqual([])
    expect(freshnessIn(figures, 'beside')?.rowsPerSecond).toBeGreaterThan(30) // 167 are sent
  })

  it('is shown as it goes on', () => {
    const phases = scenes.map(({ phase }) => phase)
    expect([...new Set(phases)].slice(0, 4)).toEqual(['sizing', 'calm', 'runaway', 'recovery'])
    expect(scenes.some(({ sight }) => sight?.state === 'delayed' && sight.rows > 0)).toBe(true)
    expect(doubtsAboutIngest(figures).filter((it) => !it.includes('later than before'))).toEqual([])
  })
})
