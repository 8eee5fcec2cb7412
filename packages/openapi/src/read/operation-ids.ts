/** Gives every operation of a document an id of its own. */
export class OperationIds {
  readonly #taken = new Set<string>()

  /** Ids that the document writes go first, wherever they stand: a made one never takes theirs. */
  constructor(written: Iterable<string>) {
    for (const id of written) this.#taken.add(id)
  }

  /** `GET /v1/pipes/{name}` → `get-v1-pipes-name`, with a number where that is taken. */
  make(method: string, path: string): string {
    const base = [method.toLowerCase(), ...(path.match(/[\p{L}\p{N}_.-]+/gu) ?? [])].join('-')
    let id = base
    for (let number = 2; this.#taken.has(id); number++) id = `${base}-${number}`
    this.#taken.add(id)
    return id
  }
}
