import { shown } from '../../table/problem.js'
import { checkAnswer, checkHello } from '../check-message.js'
import { type DriverAnswer, type DriverHello, type DriverRun, PROTOCOL } from '../protocol.js'
import { messageOf } from '../questions.js'
import { Flaw } from './finding.js'
import { type Probe, toldOf } from './probe.js'

/** Says hello, with a field that no protocol knows. */
export async function greet(probe: Probe): Promise<DriverHello> {
  probe.say({ cmd: 'hello', protocol: PROTOCOL, 'x-unknown': { ignore: ['me'] } })
  const heard = await probe.next()
  if (!('line' in heard)) throw new Flaw(`After hello it ${toldOf(heard)}.`)
  const read = messageOf(heard.line)
  if ('seen' in read) throw new Flaw(`After hello it ${read.seen}.`)
  const checked = checkHello(read.message, PROTOCOL)
  if ('problem' in checked) throw new Flaw(`It ${checked.problem}.`)
  return checked.message
}

/** Asks one case; `extra` goes into the message beside what the protocol knows. */
export function ask(probe: Probe, seq: number, run: DriverRun, extra: object = {}): void {
  probe.say({ cmd: 'run', seq, ...run, ...extra })
}

/** Takes the answers to all of these, in any order. `when` begins the sentence about what is wrong. */
export async function answers(
  probe: Probe,
  runs: ReadonlyMap<number, DriverRun>,
  when: string,
): Promise<Map<number, DriverAnswer>> {
  const found = new Map<number, DriverAnswer>()
  while (found.size < runs.size) {
    const heard = await probe.next()
    const open = [...runs].filter(([seq]) => !found.has(seq)).map(([seq, run]) => `${run.case.id} (seq ${seq})`)
    if (!('line' in heard)) throw new Flaw(`${when} it ${toldOf(heard)}, and did not answer ${open.join(', ')}.`)
    const read = messageOf(heard.line)
    if ('seen' in read) throw new Flaw(`${when} it ${read.seen}.`)
    const { seq } = read.message
    const run = typeof seq === 'number' ? runs.get(seq) : undefined
    if (typeof seq !== 'number' || run === undefined) {
      throw new Flaw(`${when} it printed a line whose seq is none that it was asked: ${shown(read.message)}.`)
    }
    if (found.has(seq)) throw new Flaw(`${when} it answered seq ${seq} twice.`)
    const checked = checkAnswer(read.message, run.suite)
    if ('problem' in checked) throw new Flaw(`${when} it answered ${run.case.id} wrongly: ${checked.problem}.`)
    found.set(seq, checked.message)
  }
  return found
}

/** Nothing more may come. */
export async function quiet(probe: Probe, when: string): Promise<void> {
  const heard = await probe.next(100)
  if (!('silenceMs' in heard)) throw new Flaw(`${when} it ${toldOf(heard)}; nothing was asked.`)
}
