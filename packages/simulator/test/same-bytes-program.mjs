// Plays two scenarios with the seed rules, and tells what was recorded as a hash a column: FNV-1a, 32 bits, over the bytes.
// It imports nothing but the package, so that it runs on every Node, as published, and in a page.
import { play, scenarioOf, seed } from '@sluice/simulator'

const fnv1a = (bytes) => {
  let sum = 0x811c9dc5
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193)
  return (sum >>> 0).toString(16).padStart(8, '0')
}

/** A quarter of an hour of normal load and as much of the surge. */
const shortened = (scenario) => ({
  ...scenario,
  durationS: 1800,
  load: {
    ...scenario.load,
    points: [
      { atS: 0, factor: 1 },
      { atS: 900, factor: 2 },
    ],
  },
  faults: [{ atS: 900, kind: 'batch', on: true }],
})

/** Its first half, with a quarter of the cores and of the load. */
const quarter = (scenario) => ({
  ...scenario,
  durationS: 450,
  server: { ...scenario.server, cores: 6 },
  load: { ...scenario.load, ratePerSecond: 24 },
  client: { ...scenario.client, maxConcurrent: 15 },
})

/** @param files the JSON of the scenarios surge-double and metastable */
export async function hashes(files) {
  const told = {}
  for (const scenario of [shortened(scenarioOf(files['surge-double'])), quarter(scenarioOf(files.metastable))]) {
    const columns = Object.entries(await play(scenario, seed, 1)).filter(([, column]) =>
      ArrayBuffer.isView(column?.values),
    )
    told[scenario.id] = Object.fromEntries(
      columns.map(([name, { values }]) => [
        name,
        `${values.length} ${fnv1a(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))}`,
      ]),
    )
  }
  return told
}
