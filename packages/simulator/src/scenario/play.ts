import { RetryBudget, retryPolicy } from '@sluice/core'
import { Client } from '../clients/client.js'
import { begin } from '../clients/load.js'
import { Mix } from '../clients/mix.js'
import { tenantsOf } from '../clients/tenants.js'
import type { Controller } from '../controllers/controller.js'
import { fixed } from '../controllers/ours.js'
import { Recording } from '../metrics/recording.js'
import { Batch } from '../servers/batch.js'
import { FirstInFirstOut } from '../servers/first-in-first-out.js'
import { ProcessorSharing } from '../servers/processor-sharing.js'
import { Server } from '../servers/server.js'
import { Throttle } from '../servers/throttle.js'
import { World } from '../world/world.js'
import { Fleet, type Process } from './fleet.js'
import type { Scenario } from './scenario.js'
import { planFault } from './strike.js'
import { watch } from './watch.js'

/** Plays one scenario with one controller. The same three arguments give the same recording. */
export async function play(scenario: Scenario, controller: Controller, seed: number): Promise<Recording> {
  const world = new World(seed)
  const recording = new Recording()
  const server = serverOf(world, scenario.server)
  const { cores } = server
  const batch =
    scenario.batch && new Batch(world, cores, { options: scenario.batch, ended: (job) => recording.job(job) })
  const { processes = 1, startsAtS = 0 } = scenario.client
  const setting = { world, server, recording, batch, options: scenario.client }
  const start = (it: Controller): Process[] => Array.from({ length: processes }, (_, at) => process(it, at, setting))
  const fleet = new Fleet(world.stream('balancer'), start(startsAtS > 0 ? fixed() : controller))
  if (startsAtS > 0) world.at(startsAtS * 1e6, () => fleet.replace(start(controller)))

  const mix = new Mix(world, scenario.work)
  const whose = tenantsOf(world, scenario.tenants ?? null, (tenant) => fleet.call(mix.next(tenant)))
  begin(world, scenario.load, {
    name: 'arrivals',
    call: (ended) => fleet.call(mix.next(whose()), ended),
  })
  if (scenario.neighbour) {
    const theirs = new Mix(world, scenario.neighbour.work, "the neighbour's ")
    begin(world, scenario.neighbour.load, {
      name: "the neighbour's arrivals",
      call: (ended) => server.send(theirs.next(0), () => ended?.()),
    })
  }
  for (const fault of scenario.faults) planFault(fault, { world, server, batch, mix })
  watch({ world, fleet, server, recording })
  await world.runUntil(scenario.durationS * 1000)
  return recording
}

function serverOf(world: World, { discipline, cores: count, queue, throttle, networkMs }: Scenario['server']): Server {
  const Cores = discipline === 'fifo' ? FirstInFirstOut : ProcessorSharing
  const bucket = throttle && new Throttle(throttle, world.stream('stated waits'))
  return new Server(world, { cores: new Cores(world, count), queue, throttle: bucket, networkMs })
}

/** What a process finds where it starts. */
interface Setting {
  readonly world: World
  readonly server: Server
  readonly recording: Recording
  readonly batch: Batch | null
  readonly options: Scenario['client']
}

/** @param at the how manieth of them */
function process(controller: Controller, at: number, { world, server, recording, batch, options }: Setting): Process {
  const { maxConcurrent, maxQueue, queueTimeoutMs, prior, policy, retryBudget } = options
  const truth = { cores: () => server.cores.count, batchJobs: () => batch?.running ?? 0 }
  const limiter = controller.create({ world, maxConcurrent, maxQueue, queueTimeoutMs, prior, truth })
  const client = new Client(world, {
    ...{ server, limiter, policy: policy && retryPolicy(policy) },
    jitter: at === 0 ? 'retry jitter' : `retry jitter ${at}`,
    retryBudget: retryBudget ? new RetryBudget() : undefined,
    onSend: () => recording.attempt(),
    onAnswer: (answer, workMs) => recording.answered(answer, world.now(), workMs),
    onCall: (tenant) => recording.came(world.now(), tenant),
    onEnd: (call, how) => recording.ended(call, world.now(), how),
  })
  return { limiter, client }
}
