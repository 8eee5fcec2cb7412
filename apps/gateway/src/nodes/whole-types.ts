const BITS = { Int8: 8n, Int16: 16n, Int32: 32n, Int64: 64n, UInt8: 8n, UInt16: 16n, UInt32: 32n, UInt64: 64n } as const

/** Types of whole numbers, as ClickHouse names them. */
export type WholeType = keyof typeof BITS

export const WHOLE_TYPES: readonly WholeType[] = Object.keys(BITS) as WholeType[] // the record has no others

/** What a type can hold. */
export function rangeOf(type: WholeType): { readonly least: bigint; readonly most: bigint } {
  const isSigned = type.startsWith('I')
  const values = 2n ** BITS[type]
  return isSigned ? { least: -values / 2n, most: values / 2n - 1n } : { least: 0n, most: values - 1n }
}

/** What a Float32 can hold at most. */
export const LARGEST_FLOAT32 = 3.4028234663852886e38

/** Types of numbers with a fraction. */
export type FloatType = 'Float32' | 'Float64'

/** The largest finite number of a type. */
export function largestOf(type: FloatType): number {
  return type === 'Float32' ? LARGEST_FLOAT32 : Number.MAX_VALUE
}
