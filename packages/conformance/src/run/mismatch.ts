import type { CaseResult } from './case-result.js'

/** One field in which a case went otherwise than its table says. */
export interface Mismatch {
  field: string
  expected: unknown
  actual: unknown
}

/** Gathers the mismatches of one replay. */
export class Comparison {
  readonly mismatches: Mismatch[]
  readonly #prefix: string

  constructor(mismatches: Mismatch[] = [], prefix = '') {
    this.mismatches = mismatches
    this.#prefix = prefix
  }

  /** The same comparison, of a part: its fields are told as `calls[1].sends`. */
  part(name: string): Comparison {
    return new Comparison(this.mismatches, `${this.#prefix}${name}.`)
  }

  fail(field: string, expected: unknown, actual: unknown): void {
    this.mismatches.push({ field: `${this.#prefix}${field}`, expected, actual })
  }

  equal(field: string, expected: unknown, actual: unknown): void {
    if (!Object.is(expected, actual)) this.fail(field, expected, actual)
  }

  /** Compares only what the table states. */
  stated(field: string, expected: unknown, actual: unknown): void {
    if (expected !== undefined) this.equal(field, expected, actual)
  }

  /** Inclusive; a missing or non-finite value is never within. */
  within(field: string, min: number, max: number, actual: number | undefined): void {
    if (actual === undefined || !(actual >= min && actual <= max)) {
      this.fail(field, min === max ? min : `${min} to ${max}`, actual)
    }
  }
}

/** A readable account of what differed: the case's head, then a line a field. */
export function formatMismatch(result: CaseResult): string {
  const draw = result.draw === null ? '' : ` (random ${result.draw})`
  const head = `${result.rule === null ? '' : `${result.rule} `}${result.id}: ${result.name}${draw}`
  return [head, ...result.mismatches.map((mismatch) => `  ${mismatchLine(mismatch)}`)].join('\n')
}

/** `sends: expected 2, got 1`. */
export function mismatchLine({ field, expected, actual }: Mismatch): string {
  return `${field}: expected ${show(expected)}, got ${show(actual)}`
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && / /.test(value) ? value : JSON.stringify(value)
}
