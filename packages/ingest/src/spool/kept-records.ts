/** Where the events of a record lie, and of whom they are. */
export interface KeptRecord {
  readonly sequence: number
  readonly source: string
  readonly atMs: number
  readonly path: string
  /** Of its segment. */
  readonly seed: number
  readonly offset: number
  readonly bytes: number
}

/** What is not done yet, of one data source or of all. */
export interface SpoolBacklog {
  readonly bytes: number
  /** When the oldest of it came, in epoch ms; null: there is none. */
  readonly oldestAtMs: number | null
}

/** The records that are not done, in the order in which they came (they are added so), and what they come to by data source. */
export class KeptRecords {
  readonly #all = new Map<number, KeptRecord>()
  readonly #bySource = new Map<string, { bytes: number; records: Map<number, KeptRecord> }>()
  #bytes = 0

  add(record: KeptRecord): void {
    const own = this.#bySource.get(record.source) ?? { bytes: 0, records: new Map() }
    this.#bySource.set(record.source, own)
    this.#all.set(record.sequence, record)
    own.records.set(record.sequence, record)
    own.bytes += record.bytes
    this.#bytes += record.bytes
  }

  /** It lies elsewhere now: its bytes are the same, and so is its place in the order. */
  move(sequence: number, { path, seed, offset }: Pick<KeptRecord, 'path' | 'seed' | 'offset'>): void {
    const record = this.#all.get(sequence)
    if (!record) return
    const moved = { ...record, path, seed, offset }
    this.#all.set(sequence, moved)
    this.#bySource.get(record.source)?.records.set(sequence, moved)
  }

  delete(sequence: number): void {
    const record = this.#all.get(sequence)
    const own = record && this.#bySource.get(record.source)
    if (!own) return
    this.#all.delete(sequence)
    own.records.delete(sequence)
    own.bytes -= record.bytes
    this.#bytes -= record.bytes
    if (own.records.size === 0) this.#bySource.delete(record.source)
  }

  has(sequence: number): boolean {
    return this.#all.has(sequence)
  }

  get(sequence: number): KeptRecord | undefined {
    return this.#all.get(sequence)
  }

  get size(): number {
    return this.#all.size
  }

  /** Undefined: there is none. */
  get oldest(): KeptRecord | undefined {
    for (const record of this.#all.values()) return record
    return undefined
  }

  list(): KeptRecord[] {
    return [...this.#all.values()]
  }

  /** Of one segment, up to a sequence number. */
  listOf(path: string, last: number): KeptRecord[] {
    const own: KeptRecord[] = []
    for (const record of this.#all.values()) {
      if (record.sequence > last) break
      if (record.path === path) own.push(record)
    }
    return own
  }

  backlog(source?: string): SpoolBacklog {
    if (source === undefined) return { bytes: this.#bytes, oldestAtMs: this.oldest?.atMs ?? null }
    const own = this.#bySource.get(source)
    for (const { atMs } of own?.records.values() ?? []) return { bytes: own?.bytes ?? 0, oldestAtMs: atMs }
    return { bytes: 0, oldestAtMs: null }
  }
}
