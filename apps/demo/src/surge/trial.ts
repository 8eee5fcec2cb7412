import { type AskOptions, ask } from './ask.js'
import { LIGHT_MS, pauseFor, type Sizing, scaled } from './sizing.js'

const TRIAL_LIGHT = 2000
const TRIAL_JOB = 100_000

/** Sizes the act for this machine, by trying both kinds of question. @param jobMs how long the job should take alone */
export async function size(options: AskOptions, cores: number, jobMs: number): Promise<Sizing> {
  const light = async (times: number, thousands: number): Promise<number> =>
    middle(times, async () => (await ask('job', 'light', thousands, options)).tookMs)
  await light(3, TRIAL_LIGHT) // the first ones make the engine ready
  const lightThousands = scaled(TRIAL_LIGHT, await light(5, TRIAL_LIGHT), LIGHT_MS)
  const lightMs = await light(9, lightThousands) // a part of the trial's time is the same for any size
  const trialMs = await middle(3, async () => (await ask('job', 'job', TRIAL_JOB, options)).tookMs)
  return { lightThousands, jobThousands: scaled(TRIAL_JOB, trialMs, jobMs), lightMs, pauseMs: pauseFor(cores, lightMs) }
}

/** @returns how long the job took @throws Error where it was not done */
export async function runJob({ jobThousands }: Sizing, options: AskOptions): Promise<number> {
  const { status, tookMs } = await ask('job', 'job', jobThousands, options)
  if (status !== 200) throw new Error(`The job was not done: the gateway answered ${status}.`)
  return tookMs
}

async function middle(times: number, one: () => Promise<number>): Promise<number> {
  const all: number[] = []
  for (let n = 0; n < times; n++) all.push(await one())
  return all.sort((a, b) => a - b)[times >> 1] ?? Number.NaN
}
