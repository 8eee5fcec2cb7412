import type { ControllerSetting, ObservedLimiter } from '../controllers/controller.js'
import { Aimd } from '../controllers/peers/aimd.js'
import { GradientProbes } from '../controllers/peers/gradient-probes.js'
import { Gradient2 } from '../controllers/peers/gradient2.js'
import { RefusingLimiter } from '../controllers/peers/refusing-limiter.js'
import { Vegas } from '../controllers/peers/vegas.js'
import { SampledLimiter } from '../controllers/sampled-limiter.js'

/** Values for a controller's documented parameters, by the names of its options here. */
export type Parameters = Readonly<Record<string, number>>

/** A peer with parameters that its documentation lets one set, and the values that are tried. */
export interface Tunable {
  readonly name: string
  /** Nine of them for each: the effort is the same for all. The first is what is documented as the default. */
  readonly grid: readonly Parameters[]
  create(setting: ControllerSetting, parameters: Parameters): ObservedLimiter
}

/** Every value of one beside every value of the other, the defaults first. */
const grid = (first: string, firsts: readonly number[], second: string, seconds: readonly number[]): Parameters[] =>
  firsts.flatMap((one) => seconds.map((other) => ({ [first]: one, [second]: other })))

/**
 * The peers that can be tuned. The AWS SDKs' adaptive mode is not among them: its constants are part of the algorithm, and
 * no documentation lets one set them.
 */
export const tunables: readonly Tunable[] = [
  {
    name: 'aimd',
    grid: grid('timeoutMs', [5000, 2500, 1000], 'minLimit', [20, 10, 5]),
    create: (setting, parameters) => new SampledLimiter(setting, new Aimd(parameters)),
  },
  {
    name: 'gradient2',
    grid: grid('rttTolerance', [1.5, 1.2, 2], 'longWindow', [600, 6000, 60_000]),
    create: (setting, parameters) => new SampledLimiter(setting, new Gradient2(parameters)),
  },
  {
    name: 'vegas',
    grid: grid('maxLimit', [1000, 100, 30], 'probeMultiplier', [30, 300, 3000]),
    create: (setting, parameters) => new SampledLimiter(setting, new Vegas(setting.world.stream('vegas'), parameters)),
  },
  {
    name: 'gradient-probes',
    grid: grid('buffer', [0.25, 0.5, 1], 'probeEveryMs', [60_000, 300_000, 1_800_000]),
    create: (setting, parameters) =>
      new SampledLimiter(setting, new GradientProbes(setting.world.stream('gradient probes'), parameters)),
  },
  {
    name: 'client-throttling',
    grid: [2, 1.1, 1.25, 1.5, 1.75, 2.5, 3, 4, 6].map((factor) => ({ factor })),
    create: (setting, { factor }) => new RefusingLimiter(setting, factor),
  },
]
