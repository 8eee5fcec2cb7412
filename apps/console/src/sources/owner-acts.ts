import type { DataSource, NodeStatus } from '@sluice/client'
import type { Answer } from '../api/ask.js'
import type { GatewayApi } from '../api/gateway-api.js'
import type { Condition } from './in-words.js'

/** What an owner may do to a data source: asked for once, then done, then told. */
export interface OwnerAct {
  readonly label: string
  readonly question: string
  /** What it means. */
  readonly meaning: string
  readonly run: (api: GatewayApi) => Promise<Answer<unknown>>
  /** What happened. */
  readonly done: string
}

/** Those that change something now: no limit is lifted where there is none. */
export function actsOn({ name, backlog, limited_until }: DataSource, condition: Condition): readonly OwnerAct[] {
  const pause: OwnerAct = {
    label: 'Pause writing',
    question: `Stop writing ${name}?`,
    meaning: 'Events are still accepted, as many as its plan lets wait. Nothing is written until it is resumed.',
    run: (api) => api.pause(name),
    done: `${name} is paused: nothing of it is written until it is resumed.`,
  }
  const resume: OwnerAct = {
    label: 'Resume writing',
    question: `Write ${name} again?`,
    meaning: 'What waits is written, the oldest first.',
    run: (api) => api.resume(name),
    done: `${name} is written again.`,
  }
  const lift: OwnerAct = {
    label: 'Lift the limit',
    question: `Lift the limit of ${name}?`,
    meaning:
      'It takes as many events as its plan allows at once. Where the cause is still there, the limit comes back.',
    run: (api) => api.liftLimit(name),
    done: `The limit of ${name} is lifted.`,
  }
  const isLimited = condition === 'limited' || limited_until !== null
  return [...(isLimited ? [lift] : []), backlog.paused ? resume : pause]
}

/** Writes it to another node. */
export function rerouteTo({ name, node }: DataSource, to: string): OwnerAct {
  return {
    label: 'Reroute',
    question: `Write ${name} to ${to}?`,
    meaning: `What waits and what comes is written to ${to}. What was written to ${node} stays there.`,
    run: (api) => api.reroute(name, to),
    done: `${name} is written to ${to} from now on.`,
  }
}

/** Where it can be written to instead. */
export function otherNodes({ node }: DataSource, nodes: readonly NodeStatus[]): readonly NodeStatus[] {
  return nodes.filter(({ name }) => name !== node)
}
