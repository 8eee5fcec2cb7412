/** Work under way. */
export interface Job {
  /** What the cores' count of work must reach. */
  readonly goal: number
  readonly done: () => void
}

/** Jobs, the one that ends first at the top: a binary heap over their goals; of equal ones in any, but always the same, order. */
export class JobHeap {
  #jobs: Job[] = []

  get size(): number {
    return this.#jobs.length
  }

  get next(): Job | undefined {
    return this.#jobs[0]
  }

  clear(): void {
    this.#jobs = []
  }

  push(job: Job): void {
    const jobs = this.#jobs
    let at = jobs.length
    jobs.push(job)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = jobs[above]
      if (parent === undefined || parent.goal <= job.goal) break
      jobs[at] = parent
      at = above
    }
    jobs[at] = job
  }

  pop(): void {
    const jobs = this.#jobs
    const last = jobs.pop()
    if (last === undefined || jobs.length === 0) return
    const { length } = jobs
    let at = 0
    for (let below = 1; below < length; below = 2 * at + 1) {
      let child = jobs[below]
      const right = jobs[below + 1]
      if (child !== undefined && right !== undefined && right.goal < child.goal) {
        child = right
        below++
      }
      if (child === undefined || child.goal >= last.goal) break
      jobs[at] = child
      at = below
    }
    jobs[at] = last
  }
}
