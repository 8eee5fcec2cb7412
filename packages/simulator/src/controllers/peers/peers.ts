import type { Controller } from '../controller.js'
import { SampledLimiter } from '../sampled-limiter.js'
import { Aimd } from './aimd.js'
import { GradientProbes } from './gradient-probes.js'
import { Gradient2 } from './gradient2.js'
import { PacedLimiter } from './paced-limiter.js'
import { RefusingLimiter } from './refusing-limiter.js'
import { Vegas } from './vegas.js'

/** Controllers of others, each at the defaults that it is documented with; their limits are their own, not the client's. */
export const peers: readonly Controller[] = [
  {
    name: 'aimd',
    source: 'Netflix concurrency-limits, AIMDLimit',
    create: (setting) => new SampledLimiter(setting, new Aimd()),
  },
  {
    name: 'gradient2',
    source: 'Netflix concurrency-limits, Gradient2Limit',
    create: (setting) => new SampledLimiter(setting, new Gradient2()),
  },
  {
    name: 'vegas',
    source: 'Netflix concurrency-limits, VegasLimit',
    create: (setting) => new SampledLimiter(setting, new Vegas(setting.world.stream('vegas'))),
  },
  {
    name: 'gradient-probes',
    source: 'Envoy, adaptive concurrency filter, gradient controller',
    create: (setting) => new SampledLimiter(setting, new GradientProbes(setting.world.stream('gradient probes'))),
  },
  {
    name: 'cubic-rate',
    source: 'AWS SDKs, adaptive retry mode',
    create: (setting) => new PacedLimiter(setting),
  },
  {
    name: 'client-throttling',
    source: 'Site Reliability Engineering, chapter 21, K = 2',
    create: (setting) => new RefusingLimiter(setting),
  },
]
