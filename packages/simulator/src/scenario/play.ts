import { RetryBudget, retryPolicy } from '@sluice/core'
import { arrive } from '../clients/arrivals.js'
import { Client } from '../clients/client.js'
import type { Controller } from '../controllers/controller.js'
import { Recording } from '../metrics/recording.js'
import { Batch } from '../servers/batch.js'
import { FirstInFirstOut } from '../servers/first-in-first-out.js'
import { ProcessorSharing } from '../servers/processor-sharing.js'
import { Server } from '../servers/server.js'
import { Throttle } from '../servers/throttle.js'
import { World } from '../world/world.js'
import type { Scenario, WorkClass } from './scenario.js'
import { strike } from './strike.js'

/** Plays one scenario with one controller. The same three arguments give the same recording. */
export async function play(scenario: Scenario, controller: Controller, seed: number): Promise<Recording> {
  const world = new World(seed)
  const recording = new Recording()
  const { discipline, cores: coreCount, queue, throttle, networkMs } = scenario.server
  const Cores = discipline === 'fifo' ? FirstInFirstOut : ProcessorSharing
  const cores = new Cores(world, coreCount)
  const bucket = throttle && new Throttle(throttle, world.stream('stated waits'))
  const server = new Server(world, { cores, queue, throttle: bucket, networkMs })
  const batch =
    scenario.batch && new Batch(world, cores, { options: scenario.batch, ended: (job) => recording.job(job) })
  const { maxConcurrent, maxQueue, queueTimeoutMs, prior, policy, retryBudget } = scenario.client
  const truth = { cores: () => cores.count, batchJobs: () => batch?.running ?? 0 }
  const limiter = controller.create({ world, maxConcurrent, maxQueue, queueTimeoutMs, prior, truth })
  const client = new Client(world, {
    ...{ server, limiter, policy: policy && retryPolicy(policy) },
    retryBudget: retryBudget ? new RetryBudget() : undefined,
    onSend: () => recording.sent(world.now()),
    onAnswer: (answer, workMs) => recording.answered(answer, world.now(), workMs),
    onEnd: (call) => recording.call(call),
  })

  const size = sizes(world, scenario.work)
  arrive(world, scenario.load, { name: 'arrivals', call: () => client.call({ workMs: size(), tenant: 0 }) })

  for (const fault of scenario.faults) world.at(fault.atS * 1e6, () => strike(fault, { world, server, batch }))

  const look = (): void => {
    const { limit, inFlight, queued } = limiter.snapshot()
    recording.second({
      limit,
      inFlight,
      queued,
      inside: server.inside,
      busyCoreUs: cores.busyCoreUs,
      cores: cores.count,
    })
    world.at(world.nowUs + 1e6, look)
  }
  world.at(1e6, look)
  await world.runUntil(scenario.durationS * 1000)
  return recording
}

/** Draws the work of one call after another. */
function sizes(world: World, classes: readonly WorkClass[]): () => number {
  const kinds = world.stream('kinds')
  const work = world.stream('sizes')
  return () => {
    const first = classes[0]
    if (first === undefined) return 0
    let kind = first
    if (classes.length > 1) {
      let left = kinds.next()
      for (const it of classes) {
        kind = it
        left -= it.share
        if (left < 0) break
      }
    }
    return work.lognormal(kind.meanMs, kind.sigma)
  }
}
