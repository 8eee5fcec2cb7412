/** What `sluice simulate run` was told. */
export interface RunOptions {
  readonly controller: string
  readonly seeds?: number
  readonly seed?: number
  readonly tuningSeeds: number
  readonly set?: readonly string[]
  readonly json?: true
  readonly svg?: string
}

/** What `sluice simulate compare` was told. */
export interface CompareOptions {
  readonly controllers?: string
  readonly tuned?: true
  readonly seeds: number
  readonly tuningSeeds: number
  readonly against?: string
  readonly json?: true
  readonly markdown?: true
  readonly check?: true
}
