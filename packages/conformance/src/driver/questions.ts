import { isRecord, shown } from '../table/problem.js'
import { checkAnswer } from './check-message.js'
import type { DriverAnswer, DriverRun } from './protocol.js'

interface Asked {
  run: DriverRun
  resolve: (answer: DriverAnswer) => void
  reject: (error: unknown) => void
}

/** How the protocol was broken, and by the answer to which case, where that can be told. */
export interface Breach {
  seen: string
  caseId?: string
}

/** The cases that were asked and the answers that came: each seq is asked once, and answered once, in any order. */
export class Questions {
  readonly #open = new Map<number, Asked>()
  readonly #answered = new Map<number, string>()

  /** How many wait for an answer. */
  get open(): number {
    return this.#open.size
  }

  /** The case that has waited longest. */
  get oldest(): string | null {
    const [first] = this.#open.values()
    return first?.run.case.id ?? null
  }

  /** Keeps a question; answers its seq. */
  ask(asked: Asked): number {
    const seq = this.#open.size + this.#answered.size + 1
    this.#open.set(seq, asked)
    return seq
  }

  /** Takes an answer to whoever asked; answers what is wrong with it, or null. */
  answer(value: Record<string, unknown>): Breach | null {
    const { seq } = value
    if (typeof seq !== 'number') return { seen: `printed a line without the seq that it answers: ${shown(value)}` }
    const asked = this.#open.get(seq)
    if (asked === undefined) {
      const caseId = this.#answered.get(seq)
      if (caseId !== undefined) return { seen: `answered seq ${seq} twice`, caseId }
      return { seen: `answered seq ${seq}, which it was not asked` }
    }
    const { suite, case: row } = asked.run
    const checked = checkAnswer(value, suite)
    if ('problem' in checked) return { seen: `answered seq ${seq} wrongly: ${checked.problem}`, caseId: row.id }
    this.#open.delete(seq)
    this.#answered.set(seq, row.id)
    asked.resolve(checked.message)
    return null
  }

  /** No answer will come any more. */
  rejectAll(error: unknown): void {
    for (const { reject } of this.#open.values()) reject(error)
    this.#open.clear()
  }
}

/** One line as a message, or what is wrong with it. */
export function messageOf(line: string): { message: Record<string, unknown> } | Breach {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    // Told below, like JSON that is no object.
  }
  if (isRecord(value)) return { message: value }
  const rule = 'stdout is for answers, one JSON object a line, and stderr for everything else'
  return { seen: `printed a line that is no JSON object: ${shown(line)}; ${rule}` }
}
