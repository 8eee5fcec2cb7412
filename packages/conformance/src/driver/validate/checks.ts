import type { DriverAnswer, DriverHello, DriverRun } from '../protocol.js'
import { Flaw } from './finding.js'
import { type Probe, toldOf } from './probe.js'
import { answers, ask, greet, quiet } from './talk.js'

/** One thing to look at, each with a process of its own. Throws a Flaw. */
export type Check = (probe: Probe, runs: readonly DriverRun[]) => Promise<void>

/** How long it may take to exit. */
const EXIT_MS = 2_000

/** What every answer of a suite has to tell, unless the policy was refused. */
const ALWAYS = {
  'retry-cases': ['retry'],
  'call-scenarios': ['sends', 'waits_ms', 'outcome', 'status'],
  'backoff-scenarios': ['steps'],
  'ingest-scenarios': ['steps'],
  wire: [],
}

export const checks: readonly Check[] = [
  async function answersOneByOne(probe, runs) {
    await greet(probe)
    for (const [i, run] of runs.entries()) {
      const seq = i + 1
      ask(probe, seq, run)
      const found = await answers(probe, new Map([[seq, run]]), `Asked ${run.case.id},`)
      const answer = found.get(seq)
      if (answer !== undefined) complete(run, answer)
    }
    await quiet(probe, 'After its last answer')
  },

  async function ignoresUnknownFields(probe, runs) {
    await greet(probe)
    const unknown = new Map(runs.slice(0, 1).map((run) => [1, { ...run, case: { ...run.case, 'x-unknown': [1] } }]))
    for (const [seq, run] of unknown) ask(probe, seq, run, { 'x-unknown': { a: null } })
    await answers(probe, unknown, 'Asked a case with fields that it does not know,')
  },

  async function ignoresUnknownCommands(probe, runs) {
    await greet(probe)
    probe.say({ cmd: 'x-unknown', text: 'ünïcödé ✓' })
    await stillAnswers(probe, runs, 'After a command that it does not know')
  },

  async function answersManyAtOnce(probe, runs) {
    await greet(probe)
    // Seqs are the runner's: in no order, and with gaps.
    const asked = new Map([...runs, ...runs].map((run, i) => [1_000_003 - i * 17, run] as const))
    for (const [seq, run] of asked) ask(probe, seq, run)
    const found = await answers(probe, asked, 'Asked many cases at once,')
    await quiet(probe, 'After its last answer')
    sameTwice(
      runs,
      [...asked.keys()].map((seq) => found.get(seq)),
    )
  },

  async function exitsAfterBye(probe, runs) {
    await greet(probe)
    const last = new Map(runs.slice(0, 1).map((run) => [1, run]))
    for (const [seq, run] of last) ask(probe, seq, run)
    await answers(probe, last, 'Asked its only case,')
    probe.say({ cmd: 'bye' })
    const heard = await probe.next(EXIT_MS)
    if (!('exit' in heard)) throw new Flaw(`After bye it ${toldOf(heard)}; it must exit with code 0.`)
    if (heard.exit.code !== 0) throw new Flaw(`After bye it ${toldOf(heard)}; the code must be 0.`)
  },

  async function endsWithItsInput(probe) {
    await greet(probe)
    probe.endInput()
    const heard = await probe.next(EXIT_MS)
    if ('exit' in heard) return
    const why = 'it would outlive a runner that was killed'
    throw new Flaw(`When its input ended without a bye it ${toldOf(heard)}; let it exit: ${why}.`, 'advice')
  },

  async function bearsGarbage(probe, runs) {
    await greet(probe)
    probe.say('')
    probe.say('no JSON at all {')
    await stillAnswers(probe, runs, 'After an empty line and one that is no JSON', 'advice')
  },
]

/** Features that no table needs, misspelt most likely; suites that there are not. */
export function checkWords({ suites, features }: DriverHello, needs: readonly string[]): Flaw[] {
  const known = Object.keys(ALWAYS)
  const strange = features.filter((feature) => !needs.includes(feature) && !feature.startsWith('omits:'))
  const named = strange.map(
    (feature) => new Flaw(`No case needs the feature "${feature}"; there are ${needs.join(', ')}.`, 'advice'),
  )
  if (suites.some((suite) => known.includes(suite))) return named
  return [
    new Flaw(`It announces no suite that there is, so nothing would be run; there are ${known.join(', ')}.`),
    ...named,
  ]
}

async function stillAnswers(probe: Probe, runs: readonly DriverRun[], when: string, level?: 'advice'): Promise<void> {
  const next = new Map(runs.slice(0, 1).map((run) => [1, run]))
  for (const [seq, run] of next) ask(probe, seq, run)
  try {
    await answers(probe, next, when)
  } catch (error) {
    if (error instanceof Flaw) throw new Flaw(`${error.message} It should be ignored.`, level)
    throw error
  }
}

function complete(run: DriverRun, answer: DriverAnswer): void {
  if ('error' in answer) throw new Flaw(`Asked ${run.case.id}, it answered with an error: ${answer.error}.`)
  if ('skipped' in answer) return
  const { policy_error, config_error } = answer.actual
  if (typeof policy_error === 'string' || typeof config_error === 'string') return
  const told: Record<string, unknown> = { ...answer.actual }
  const missing = ALWAYS[run.suite].filter((field) => told[field] === undefined)
  if (missing.length > 0) throw new Flaw(`Asked ${run.case.id}, it did not tell ${missing.join(', ')}.`)
}

/** The second half of the answers are to the same cases as the first. */
function sameTwice(runs: readonly DriverRun[], found: readonly (DriverAnswer | undefined)[]): void {
  for (const [i, run] of runs.entries()) {
    const [first, second] = [JSON.stringify(found[i]), JSON.stringify(found[i + runs.length])]
    if (first === second) continue
    throw new Flaw(
      `Asked ${run.case.id} twice, it answered ${first} and then ${second}; cases must not touch each other.`,
    )
  }
}
