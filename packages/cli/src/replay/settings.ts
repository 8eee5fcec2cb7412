import { type Command, InvalidArgumentError, Option } from 'commander'
import { durationArgument } from '../arguments/duration.js'

/** A value, and how it was spelt. */
export interface Value {
  readonly value: number | string
  readonly text: string
}

/** Thresholds by the names of the limiter's options. */
export type Fields = Readonly<Record<string, number | string | boolean>>

/** A threshold: the flag, the option of the limiter that it sets, and what it means. */
interface Setting {
  readonly flag: string
  readonly field: string
  readonly read: (text: string) => number | string
  readonly text: string
}

const number = (text: string): number => {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a number, or several: 1.3,1.4.')
}

const word = (text: string): string => text

/** Ranges are the limiter's to check: limitOptions() knows them, and one beside the other. */
export const SETTINGS: readonly Setting[] = [
  {
    ...{ flag: 'controller <name>', field: 'controller', read: word },
    text: 'how latency becomes a limit: knee or windowed (default knee)',
  },
  { flag: 'max-concurrent <n>', field: 'maxConcurrent', read: number, text: 'the highest limit (default 35)' },
  { flag: 'floor <n>', field: 'floor', read: number, text: 'the lowest by latency (default half of it)' },
  { flag: 'window <time>', field: 'windowMs', read: durationArgument(1), text: 'length of a window (default 10s)' },
  { flag: 'min-samples <n>', field: 'minSamples', read: number, text: 'samples a window needs to count (default 50)' },
  {
    ...{ flag: 'warmup-windows <n>', field: 'warmupWindows', read: number },
    text: 'windows before there is a ratio (default 30)',
  },
  {
    ...{ flag: 'backoff-ratio <n>', field: 'backoffRatio', read: number },
    text: 'above it the limit falls (default 1.2; windowed 1.4)',
  },
  {
    ...{ flag: 'recovery-ratio <n>', field: 'recoveryRatio', read: number },
    text: 'below it the limit rises (default 1.1; windowed 1.2)',
  },
  {
    ...{ flag: 'decrease-factor <n>', field: 'decreaseFactor', read: number },
    text: 'windowed: what a fall leaves of the limit (default 0.75)',
  },
  {
    ...{ flag: 'smoothing-time-constant <time>', field: 'smoothingTimeConstantMs', read: durationArgument(1) },
    text: 'how fast the present is followed (default 20s; windowed 1m)',
  },
  {
    ...{ flag: 'smoothing-samples <n>', field: 'smoothingSamples', read: number },
    text: '… over so many samples at least (default 1200; windowed 0)',
  },
  {
    ...{ flag: 'baseline-time-constant <time>', field: 'baselineTimeConstantMs', read: durationArgument(1) },
    text: 'how fast the baseline learns (default 24h)',
  },
  {
    ...{ flag: 'overdraft <time>', field: 'overdraftMs', read: durationArgument(0) },
    text: 'knee: how long the server bears more while callers wait long (default 2m)',
  },
  {
    ...{ flag: 'max-freeze <time>', field: 'maxFreezeMs', read: durationArgument(0) },
    text: 'how long an overload teaches nothing (default 6h)',
  },
  {
    ...{ flag: 'max-hold <time>', field: 'maxHoldMs', read: durationArgument(0) },
    text: 'the longest wait of a throttle that is obeyed (default 1m)',
  },
  {
    ...{ flag: 'expected-p90 <ms>', field: 'expectedP90Ms', read: number },
    text: 'the ordinary p90 in ms: no warm-up (default: it is learned)',
  },
]

/** Adds a flag for each of them. */
export function withSettings(command: Command): Command {
  for (const { flag, field, read, text } of SETTINGS) {
    // Several values of one flag are compared.
    const option = new Option(`--${flag}`, text).argParser((list): readonly Value[] =>
      list.split(',').map((one) => ({ value: read(one.trim()), text: one.trim() })),
    )
    option.attributeName = () => field
    command.addOption(option)
  }
  return command
    .option('--no-latency', 'the kill switch: latency is measured and changes nothing')
    .option('--no-shedding', 'knee: nobody who waits is let go early (default: as recorded, or they are)')
}

/** `--backoff-ratio`, for messages. */
export const flagOf = (field: string): string =>
  `--${SETTINGS.find((setting) => setting.field === field)?.flag.split(' ')[0] ?? field}`
