import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const assets = new URL('../dist/assets/', import.meta.url)

/** Never above that; what was achieved and 5 % would be more. */
const MOST_BYTES = 120_000

test(`the page's script is at most ${MOST_BYTES / 1000} kB, gzip`, () => {
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const sizes = scripts.map((name) => gzipSync(readFileSync(new URL(name, assets))).length)
  const sum = sizes.reduce((all, size) => all + size, 0)
  expect(sum).toBeGreaterThan(50_000) // it was found
  expect(sum).toBeLessThanOrEqual(MOST_BYTES)
})
