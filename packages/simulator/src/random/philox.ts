const MULTIPLIER = 0xd256d193
const WEYL = 0x9e3779b9
const ROUNDS = 10

/** The upper half of a 32 × 32 bit product. */
function upper(a: number, b: number): number {
  const aLow = a & 0xffff
  const aHigh = a >>> 16
  const bLow = b & 0xffff
  const bHigh = b >>> 16
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16)
  return (aHigh * bHigh + Math.floor(middle / 0x10000) + (((middle % 0x10000) + aLow * bHigh) >>> 16)) >>> 0
}

/**
 * Philox2x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011): a function of a key and a counter,
 * without any state, so that the hundredth number of a stream is the same whoever drew the others.
 *
 * @returns a number in [0, 1) of 53 bits
 */
export function philox(key: number, counterLow: number, counterHigh: number): number {
  const [first, second] = philoxWords(key, counterLow, counterHigh)
  return (first * 0x200000 + (second >>> 11)) / 2 ** 53
}

/** The two 32-bit words themselves, as published. */
export function philoxWords(key: number, counterLow: number, counterHigh: number): [number, number] {
  let left = counterLow >>> 0
  let right = counterHigh >>> 0
  let bumped = key >>> 0
  for (let round = 0; round < ROUNDS; round++) {
    const high = upper(MULTIPLIER, left)
    const low = Math.imul(MULTIPLIER, left) >>> 0
    left = (high ^ bumped ^ right) >>> 0
    right = low
    bumped = (bumped + WEYL) >>> 0
  }
  return [left, right]
}
