import { describe, expect, it } from 'vitest'
import { doubtsAboutSurge, surgeVerdict } from '../../src/surge/verdict.js'
import { figures, part } from './part.js'

describe('surgeVerdict', () => {
  it('says what the limiter did, what the job gained, and who paid', () => {
    expect(surgeVerdict(figures())).toEqual([
      '800 light questions, 800 answers with data, no 429 and no other error. The gateway counted the same.',
      'The limiter was told of no error, only of latency. It began to act 2.6 s after the job began, when the smoothed p90 was 1.5 times the ordinary 80 ms, and lowered the limit from 8 to 4.',
      'Beside the callers the job took 3.0 times as long as alone, and with the limiter 2.3 times: 2.5 s less.',
      'Who pays: the callers, who wait for a slot. Beside the job they got 20 answers a second instead of 26, and nine of ten within 600 ms instead of 300 ms, the wait included.',
    ])
  })

  it.each([8000, 10_000, 12_000])('says so when the job gained nothing: %i ms with the limiter', (jobMs) => {
    const [, , gain] = surgeVerdict(figures({ free: part(8100, [[0, 8]]), limited: part(jobMs, [[0, 8], [6000, 6]]) })) // biome-ignore format: pairs
    expect(gain).toMatch(/^Beside the callers .*: in this run the limiter did not help the job\.$/)
  })

  it('says so when the limit did not fall', () => {
    expect(surgeVerdict(figures({ limited: part(8050, [[0, 8]]) }))[1]).toBe(
      'The limit did not fall in this run: the smoothed p90 was never 1.2 times the ordinary 80 ms, or windows had fewer than 10 answers.',
    )
    expect(surgeVerdict(figures({ limited: part(8050, [[0, 8]]) }))[2]).toMatch(/2\.3 times\. Nothing was limited, so/)
  })

  it('says why the limit opened in the middle of the job: it asked whether it is us (L21)', () => {
    const sights = (limits: readonly (readonly [atMs: number, limit: number, ratio: number])[]) =>
      limits.map(([atMs, limit, ratio]) => ({ atMs, limit, p90_ms: 160, ratio }))
    const sentences = (...limits: (readonly [atMs: number, limit: number, ratio: number])[]) =>
      surgeVerdict(figures({ limited: part(12_000, [], { sights: sights(limits) }) })).filter((it) =>
        it.includes('(L21)'),
      )
    const fell = [[-900, 8, 1], [6600, 4, 1.6], [13_600, 8, 1.7]] as const // biome-ignore format: triples
    const why =
      '9.6 s after the job began the limit opened for three windows, not because the engine had recovered, but to ask whether it is us (L21)'
    expect(sentences(...fell, [14_600, 8, 1.9], [16_700, 4, 2])).toEqual([
      `${why}: the engine got slower, so it was us, and the limit went back to 4.`,
    ])
    expect(sentences(...fell, [16_700, 8, 1], [18_000, 7, 1.3])).toEqual([
      `${why}: the engine got no slower, so it was not us, and what is ordinary was taken anew from that.`,
    ])
    const cut = part(12_000, [], { sights: sights(fell), endMs: 15_000 })
    expect(surgeVerdict(figures({ limited: cut }))[2]).toBe(`${why}; there was no answer before the end.`)
    // It comes back by itself below 1.1, and after the job nobody wonders.
    expect(sentences([-900, 8, 1], [6600, 4, 1.6], [13_600, 8, 1.05])).toEqual([])
    expect(sentences([-900, 8, 1], [6600, 4, 1.6], [16_600, 8, 1.7])).toEqual([])
  })

  it('says what the steps came to, where they were played, and counts their answers', () => {
    const windowed = part(9000, [[-900, 8], [6600, 6]], { refusals: [503] }) // biome-ignore format: pairs
    const sentences = surgeVerdict(figures({ windowed }))
    expect(sentences[0]).toMatch(/^1200 light questions, 1200 answers/)
    expect(sentences[3]).toBe(
      'In steps (windowed) it took 2.6 times as long, with a limit of 6 at the lowest; the callers got 26 answers a second, nine of ten within 300 ms.',
    )
    expect(doubtsAboutSurge(figures({ windowed }))).toEqual([
      '1 light questions were answered with status 503 and no data.',
    ])
  })

  it('says so when it had fallen before the job began', () => {
    const early = 'It was at 6 before the job began: something else had slowed the engine.'
    const sentence = (limits: (readonly [number, number])[]) =>
      surgeVerdict(figures({ limited: part(8050, limits) }))[1]
    expect(sentence([[0, 8], [2000, 6]])).toBe(`The limit did not fall any further beside the job. ${early}`) // biome-ignore format: pairs
    expect(sentence([[0, 8], [2000, 6], [6000, 4]])).toMatch(new RegExp(`lowered the limit from 6 to 4\\. ${early}$`)) // biome-ignore format: pairs
  })

  it('warns when what is measured twice differs', () => {
    for (const aloneMs of [[3000, 3800], [3800, 3000]] as const) // biome-ignore format: pairs
      expect(surgeVerdict(figures({ aloneMs })).at(-1)).toMatch(
        /^The machine had other work: the job alone took 3\.[08] s/,
      )
    expect(surgeVerdict(figures({ aloneMs: [3000, 3700] }))).toHaveLength(4)
    const calm = { answers: 152, perSecond: 38, engineMs: 130, tookMs: 150 }
    expect(surgeVerdict(figures({ limited: part(8050, [[0, 8]], { calm }) })).at(-1)).toMatch(
      /^The machine had other work: before the job the p90 was 80 ms in the first part and 130 ms in the second\. Do not/,
    )
  })
})

describe('doubtsAboutSurge', () => {
  it('has none where all was answered, and the gateway says so too', () => {
    expect(doubtsAboutSurge(figures())).toEqual([])
  })

  it('names every status that was no data, and a count that differs', () => {
    const free = part(8000, [[0, 8]], { refusals: [429, 504, 429], counted: { requests: 400, refusals: 2 } })
    expect(doubtsAboutSurge(figures({ free }))).toEqual([
      '3 light questions were answered with status 429, 504 and no data.',
    ])
    const limited = part(8000, [[0, 8]], { counted: { requests: 401, refusals: 1 } })
    expect(doubtsAboutSurge(figures({ limited }))).toEqual([
      '400 answers and 0 refusals (429) were counted here, 401 and 1 by the gateway.',
    ])
  })
})
