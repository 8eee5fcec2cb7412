import type { Backlog, DataSource, NodeStatus } from '@sluice/client'
import type { Answer } from '../api/ask.js'
import type { GatewayApi } from '../api/gateway-api.js'
import type { Condition } from './in-words.js'

/** What an owner may do to a data source: asked for once, then done, then told. */
export interface OwnerAct {
  /** What it changes. One that takes another's place, as resume does that of pause, has the same button. */
  readonly changes: 'limit' | 'writing' | 'route'
  readonly label: string
  readonly question: string
  /** What it means. */
  readonly meaning: string
  /** Answers what happened, in a sentence. */
  readonly run: (api: GatewayApi) => Promise<Answer<string>>
}

async function told<T>(asked: Promise<Answer<T>>, inWords: (data: T) => string): Promise<Answer<string>> {
  const answer = await asked
  return answer.kind === 'data' ? { ...answer, data: inWords(answer.data) } : answer
}

/** Those that change something now: no limit is lifted where there is none. */
export function actsOn({ name, backlog, limited_until }: DataSource, condition: Condition): readonly OwnerAct[] {
  const pause: OwnerAct = {
    changes: 'writing',
    label: 'Pause writing',
    question: `Stop writing ${name}?`,
    meaning: 'Events are still accepted, as many as its plan lets wait. Nothing is written until it is resumed.',
    run: (api) => told(api.pause(name), (its) => pausedInWords(name, its)),
  }
  const resume: OwnerAct = {
    changes: 'writing',
    label: 'Resume writing',
    question: `Write ${name} again?`,
    meaning: 'What waits is written, the oldest first.',
    run: (api) => told(api.resume(name), () => `${name} is written again.`),
  }
  const lift: OwnerAct = {
    changes: 'limit',
    label: 'Lift the limit',
    question: `Lift the limit of ${name}?`,
    meaning:
      'It takes as many events as its plan allows at once. Where the cause is still there, the limit comes back.',
    run: (api) => told(api.liftLimit(name), () => `The limit of ${name} is lifted.`),
  }
  const isLimited = condition === 'limited' || limited_until !== null
  return [...(isLimited ? [lift] : []), backlog.paused ? resume : pause]
}

/** What was under way and has not ended may be written after all. */
export function pausedInWords(name: string, { blocks_under_way, unknown_blocks }: Backlog): string {
  const blocks = blocks_under_way + unknown_blocks
  if (blocks === 0) return `${name} is paused: nothing of it is written until it is resumed.`
  const those = blocks === 1 ? '1 block that was' : `${blocks} blocks that were`
  return `${name} is paused. What ${those} under way may be written yet; nothing else is until it is resumed.`
}

/** Writes it to another node. */
export function rerouteTo({ name, node }: DataSource, to: string): OwnerAct {
  return {
    changes: 'route',
    label: 'Reroute',
    question: `Write ${name} to ${to}?`,
    meaning: `What waits and what comes is written to ${to}. What was written to ${node} stays there.`,
    run: (api) => told(api.reroute(name, to), () => `${name} is written to ${to} from now on.`),
  }
}

/** Takes its route back. */
export function routeBack({ name, node }: DataSource): OwnerAct {
  return {
    changes: 'route',
    label: 'Back to where it belongs',
    question: `Take the route of ${name} back?`,
    meaning: `What waits and what comes is written where it belongs, and elsewhere while that node is out. What was written to ${node} stays there.`,
    run: (api) => told(api.reroute(name, null), (its) => `${name} is written where it belongs: to ${its.node}.`),
  }
}

/** Where it can be written to instead. */
export function otherNodes({ node }: DataSource, nodes: readonly NodeStatus[]): readonly NodeStatus[] {
  return nodes.filter(({ name }) => name !== node)
}
