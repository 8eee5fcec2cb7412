import type { MakeClock, ReplayClock } from '../clock.js'
import type { MachineSubject } from '../machine-subject.js'
import type { Subject } from '../subject.js'
import type { IngestScenario, MachineConfig, MachineReading, MachineStep } from '../table/ingest-table.js'
import { isRecord } from '../table/problem.js'
import { mergedPolicy } from '../table/table.js'
import { compareMachineSteps } from './compare-machine.js'
import type { Comparison } from './mismatch.js'
import { describeError } from './play.js'

/** What came of playing a scenario: a reading a step, or that the config was refused. */
export type MachinePlayed = { steps: MachineReading[] } | { config_error: string }

type MakeMachine = NonNullable<Subject['machine']>

/** Times that people are told are of the wall clock: it stands at 0 with the other one. */
const EPOCH = 0
const SECOND_MS = 1000

/** Replays one scenario and compares what its steps state. */
export async function replayMachineScenario(
  row: IngestScenario,
  config: MachineConfig,
  machine: MakeMachine,
  makeClock: MakeClock,
  compare: Comparison,
): Promise<void> {
  try {
    const played = await playMachine(row, mergedPolicy(config, row.config), machine, makeClock)
    const refused = 'config_error' in played ? played.config_error : undefined
    compare.equal('config_error', row.config_error, refused)
    if ('steps' in played) compareMachineSteps(compare, row.steps, played.steps)
  } catch (error) {
    compare.fail('machine', 'a reading a step', describeError(error))
  }
}

/**
 * Plays the steps of a scenario on a fresh clock, and after a restart on another.
 * @throws Error where a step cannot be done, or the machine leaves a timer
 */
export async function playMachine(
  row: Pick<IngestScenario, 'machine' | 'steps'>,
  config: Record<string, unknown>,
  make: MakeMachine,
  makeClock: MakeClock,
): Promise<MachinePlayed> {
  let clock = makeClock(EPOCH)
  let machine = make(row.machine, config, clock, undefined)
  const steps: MachineReading[] = []
  for (const [i, step] of row.steps.entries()) {
    if ('config_error' in machine) return machine
    const [action, of] = actionOf(step, i)
    let did: MachineReading = {}
    if (action === 'restart') {
      const saved = JSON.stringify(machine.save?.() ?? null)
      clock = makeClock(EPOCH)
      machine = make(row.machine, config, clock, JSON.parse(saved))
      if ('config_error' in machine) return machine
    } else if (action === 'advance_ms') await pass(clock, Number(of))
    else if (action === 'watch') await watch(machine, clock, isRecord(of) ? of : {})
    else did = await machine.act(action, of)
    await pass(clock, 0) // who listens may be told a turn later
    steps.push({ ...machine.read(of), ...did })
    const timers = clock.pending?.() ?? 0
    if (timers > 0) throw new Error(`${timers} timers run: time passes, and nobody looks`)
  }
  return 'config_error' in machine ? machine : { steps }
}

function actionOf({ expect, ...step }: MachineStep, i: number): [action: string, of: unknown] {
  const [one, ...more] = Object.entries(step)
  if (one === undefined || more.length > 0) throw new Error(`steps[${i}] does not do one thing`)
  return one
}

/** Somebody looks now and each second, and rows are written at the end of each. */
async function watch(
  machine: MachineSubject,
  clock: ReplayClock,
  { for_ms: forMs, rows_per_second: amount = 0, ...of }: Record<string, unknown>,
): Promise<void> {
  await machine.act('observe', of)
  for (let ms = 0; ms < Number(forMs); ms += SECOND_MS) {
    await pass(clock, SECOND_MS)
    if (amount !== 0) await machine.act('drain', { amount })
    await machine.act('observe', of)
  }
}

function pass(clock: ReplayClock, ms: number): Promise<void> {
  return clock.run(new Promise<void>((resolve) => clock.timer(ms, resolve)))
}
