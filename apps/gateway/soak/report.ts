/** One thing that was promised, and what was found. */
export interface Check {
  readonly promise: string
  readonly found: string
  readonly isKept: boolean
}

const SELDOM_MS = 60_000

/** What a soak says while it runs, and what it has found at the end. */
export class Report {
  readonly #write: (text: string) => void
  readonly #isTerminal: boolean
  #toldMs: number = performance.now()
  readonly checks: Check[] = []
  readonly figures: [name: string, value: string][] = []

  constructor(write: (text: string) => void = () => undefined, isTerminal = false) {
    this.#write = write
    this.#isTerminal = isTerminal
  }

  /** What it does now: one line of a terminal that is written over; elsewhere a line now and then. */
  progress(text: string): void {
    const now = performance.now()
    if (!this.#isTerminal && now - this.#toldMs < SELDOM_MS) return
    this.#toldMs = now
    this.#write(this.#isTerminal ? `\r\u001b[K${text}` : `… ${text}\n`)
  }

  /** A line that stays. */
  note(text: string): void {
    this.#write(`${this.#isTerminal ? '\r\u001b[K' : ''}${text}\n`)
  }

  check(promise: string, isKept: boolean, found: string | number): void {
    this.checks.push({ promise, isKept, found: String(found) })
    this.note(`${isKept ? 'kept  ' : 'BROKEN'} ${promise}: ${found}`)
  }

  /** What is measured and not promised. */
  figure(name: string, value: string | number): void {
    this.figures.push([name, String(value)])
    this.note(`       ${name}: ${value}`)
  }

  get broken(): readonly Check[] {
    return this.checks.filter(({ isKept }) => !isKept)
  }

  /** All of it, as a table of Markdown. */
  table(): string {
    const rows = this.checks.map(({ promise, found, isKept }) => [promise, found, isKept ? 'kept' : '**broken**'])
    const all = [['', 'found', ''], ['---', '---', '---'], ...rows, ...this.figures.map((it) => [...it, ''])]
    return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  }
}
