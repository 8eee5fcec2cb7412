import { expect, it } from 'vitest'
import { colourFor, noColour } from '../src/colour.js'
import { renderTable } from '../src/table.js'
import { figuresOf } from './figures.js'

const three = [
  figuresOf({ failures: 15, elapsedMs: 84 }),
  figuresOf({ name: 'naive retry loop', sends: 119, earlyKnocks: 99, failures: 6, elapsedMs: 1951 }),
  figuresOf({ name: '@sluice/fetch', sends: 48, elapsedMs: 3651 }),
]

it('sets names to the left and figures to the right, each under its head', () => {
  expect(`\n${renderTable(three, noColour)}\n`).toBe(`
                  calls  sends  early knocks  failures  elapsed
plain fetch          20     20             0        15    0.1 s
naive retry loop     20    119            99         6    2.0 s
@sluice/fetch        20     48             0         0    3.7 s
`)
})

it('keeps its lines equal and within 80 columns with large figures and long names', () => {
  const wide = figuresOf({ name: '@sluice/fetch, background', calls: 200, sends: 123_456, elapsedMs: 123_456 })
  const lengths = renderTable([...three, wide], noColour)
    .split('\n')
    .map((line) => line.length)
  expect(new Set(lengths).size).toBe(1)
  expect(lengths[0]).toBeLessThanOrEqual(80)
})

it('paints losses red and clean columns green without moving anything', () => {
  const painted = renderTable(three, colourFor({ isTTY: true }, { TERM: 'xterm' }))
  expect(painted).toContain('\u001b[31m      15\u001b[39m')
  expect(painted).toContain('\u001b[33m          99\u001b[39m')
  expect(painted).toContain('\u001b[32m       0\u001b[39m')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are what is taken out
  expect(painted.replace(/\u001b\[\d+m/g, '')).toBe(renderTable(three, noColour))
})

it.each([
  ['a pipe', { isTTY: false }, {}],
  ['no stream of that kind', {}, {}],
  ['NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }],
  ['a terminal that cannot', { isTTY: true }, { TERM: 'dumb' }],
])('has no colours on %s', (_, stream, env) => {
  expect(colourFor(stream, env)('red', 'text')).toBe('text')
})

it('has them where NO_COLOR is empty, as no-color.org has it', () => {
  expect(colourFor({ isTTY: true }, { NO_COLOR: '' })('red', 'text')).toBe('\u001b[31mtext\u001b[39m')
})
