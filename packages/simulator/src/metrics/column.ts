type Numbers = Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>

/** Numbers, one after another, as many as come. */
export class Column<Kept extends Numbers = Float64Array<ArrayBuffer>> {
  readonly #make: (length: number) => Kept
  #values: Kept
  #length = 0

  /** @param make room for so many: `Uint8Array` where they are small and whole */
  constructor(make: (length: number) => Kept) {
    this.#make = make
    this.#values = make(1024)
  }

  /** Of numbers of any kind. */
  static of(): Column {
    return new Column((length) => new Float64Array(length))
  }

  /** Of whole numbers up to 255. */
  static ofBytes(): Column<Uint8Array<ArrayBuffer>> {
    return new Column((length) => new Uint8Array(length))
  }

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const longer = this.#make(Math.ceil(this.#values.length * 1.5))
      longer.set(this.#values)
      this.#values = longer
    }
    this.#values[this.#length++] = value
  }

  /** One that is there. */
  at(index: number): number {
    return this.#values[index] ?? Number.NaN
  }

  /** Another value for one that is there. */
  set(at: number, value: number): void {
    this.#values[at] = value
  }

  /** All of them, not copied. */
  get values(): Kept {
    return this.#values.subarray(0, this.#length) as Kept // the same kind of array
  }
}
