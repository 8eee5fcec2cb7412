/** Numbers, one after another, as many as come. */
export class Column {
  #values = new Float64Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const longer = new Float64Array(this.#values.length * 2)
      longer.set(this.#values)
      this.#values = longer
    }
    this.#values[this.#length++] = value
  }

  /** All of them, not copied. */
  get values(): Float64Array {
    return this.#values.subarray(0, this.#length)
  }
}
