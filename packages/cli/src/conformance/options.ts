/** Which cases. */
export interface Selection {
  readonly suite?: readonly string[]
  readonly tables?: string
  readonly run?: readonly string[]
  readonly skip?: readonly string[]
}

export interface RunOptions extends Selection {
  readonly knownFailing?: string
  readonly reporter: string
}

export interface ListOptions extends Selection {
  readonly json?: true
}
