import { type Clock, systemClock } from '@sluice/core'
import { checked, complete, refused } from '../settings.js'
import { Node } from './node.js'
import { ROUTER_FIELDS, type RouterOptions, type RouterSettings } from './options.js'
import { Placement } from './placement.js'

/** Where a flush goes. Tell what became of it with {@link Router.report}. */
export interface Route {
  readonly node: string
  /** Whether it is the one by which an ejected node may come back. */
  readonly isProbe: boolean
}

/** What became of a flush. */
export type FlushOutcome = { readonly isWritten: true; readonly tookMs: number } | { readonly isWritten: false }

/** What is to be seen of one node. */
export interface NodeReading {
  readonly node: string
  readonly state: 'in_service' | 'ejected' | 'on_probe'
  /** What it takes of the data sources that belong to it: below 1 in slow start, 0 while it is out. */
  readonly share: number
  /** Data sources that were placed here last. */
  readonly sources: number
  readonly failuresInARow: number
  /** Null: too few flushes. */
  readonly p90Ms: number | null
  readonly ejections: number
  /** When it may be probed, on the clock that was handed in; null: it is not ejected. */
  readonly untilMs: number | null
}

/**
 * Which node a data source's blocks go to (I6): always the same while that is healthy. A node that fails or is slow is
 * ejected, never more than half of them and never the last, and comes back by one probe and a slow start.
 */
export class Router {
  readonly #settings: RouterSettings
  readonly #placement: Placement
  readonly #clock: Pick<Clock, 'now'>
  readonly #nodes = new Map<string, Node>()
  readonly #forced = new Map<string, string>()

  /** @throws TypeError that names the option, its value and what is allowed */
  constructor({ nodes, score, place, clock = systemClock, ...rest }: RouterOptions) {
    this.#settings = complete('Router', ROUTER_FIELDS, rest, ['nodes', 'clock'])
    this.#placement = new Placement(this.#settings, score, place)
    this.#clock = clock
    for (const id of namesOf(nodes)) this.#nodes.set(id, new Node(id, this.#settings))
  }

  /**
   * Where the next flush of a data source goes.
   * @param mayProbe false: a flush that may be withheld yet, or is a probe of something else, is no node's probe. Default true.
   */
  route(source: string, mayProbe = true): Route {
    const now = this.#clock.now()
    const forced = this.#nodes.get(this.#forced.get(source) ?? '')
    if (forced?.isInService) return { node: forced.id, isProbe: false }
    const all = [...this.#nodes.values()]
    const due = mayProbe ? all.find((node) => node.isDue(now) && (!forced || node === forced)) : undefined
    if (due) {
      due.beginProbe(now)
      return { node: due.id, isProbe: true }
    }
    const inService = all.filter((node) => node.isInService)
    const node = this.#placement.nodeFor(source, inService, now)
    if (!node) throw new Error('Router: no node is in service') // never: the last is not ejected
    return { node: node.id, isProbe: false }
  }

  /** What became of a flush. Of a node that is no longer there, or was ejected meanwhile, it says nothing. */
  report(route: Route, outcome: FlushOutcome): void {
    if (outcome.isWritten) checked('Router.report', 'tookMs', outcome.tookMs, 'a number of at least 0')
    const now = this.#clock.now()
    const node = this.#nodes.get(route.node)
    if (!node) return
    if (node.state === 'on_probe' && route.isProbe) {
      if (outcome.isWritten) node.comeBack(now)
      else node.eject(now)
    } else if (node.isInService) {
      if (outcome.isWritten) node.written(outcome.tookMs)
      else node.failuresInARow++
      if (this.#isToGo(node) && this.#out().length < this.#mostOut()) node.eject(now)
    }
  }

  /**
   * Other nodes from now on. What is new begins with a slow start; what stays keeps what is known of it; what goes takes
   * the routes that were forced to it along.
   * @throws TypeError where there is none, one has no name, or one is there twice
   */
  setNodes(ids: readonly string[]): void {
    const now = this.#clock.now()
    const names = namesOf(ids)
    for (const id of this.#nodes.keys()) if (!names.includes(id)) this.#nodes.delete(id)
    for (const [source, id] of this.#forced) if (!this.#nodes.has(id)) this.#forced.delete(source)
    for (const id of names) {
      if (this.#nodes.has(id)) continue
      const node = new Node(id, this.#settings)
      // Where nothing else serves, there is nothing to spare.
      if (this.#nodes.size > 0) node.comeBack(now)
      this.#nodes.set(id, node)
    }
    // With fewer nodes fewer may be out: those whose time is nearest come back before it.
    const out = this.#out().sort((one, other) => one.untilMs - other.untilMs)
    for (const node of out.slice(0, Math.max(0, out.length - this.#mostOut()))) node.comeBack(now)
  }

  /**
   * Sends a data source to a node, whatever its hash says; null: no longer. While that node is out the data source goes
   * where it would go without.
   * @throws TypeError for a node that there is not
   */
  force(source: string, node: string | null): void {
    if (node === null) this.#forced.delete(source)
    else if (this.#nodes.has(node)) this.#forced.set(source, node)
    else throw refused('Router.force', 'node', node, `one of ${[...this.#nodes.keys()].join(', ')}`)
  }

  /** The routes that were forced. */
  get forced(): ReadonlyMap<string, string> {
    return new Map(this.#forced)
  }

  read(): NodeReading[] {
    const now = this.#clock.now()
    return [...this.#nodes.values()].map((node) => {
      const { id, state, sources, failuresInARow, p90Ms, ejections } = node
      const untilMs = state === 'ejected' ? node.untilMs : null
      return { node: id, state, share: node.shareAt(now), sources, failuresInARow, p90Ms, ejections, untilMs }
    })
  }

  #isToGo({ failuresInARow, p90Ms }: Node): boolean {
    if (failuresInARow >= this.#settings.failuresInARow) return true
    if (p90Ms === null) return false
    const known = [...this.#nodes.values()].flatMap((node) => (node.isInService ? (node.p90Ms ?? []) : []))
    known.sort((one, other) => one - other)
    // Of two in the middle the lower one: of two nodes the slow one could never be above three times their mean.
    const medianMs = known[Math.floor((known.length - 1) / 2)] ?? p90Ms
    return p90Ms > this.#settings.slowRatio * medianMs
  }

  #out(): Node[] {
    return [...this.#nodes.values()].filter((node) => !node.isInService)
  }

  /** Never the last, whatever share is set. */
  #mostOut(): number {
    return Math.min(this.#nodes.size - 1, Math.floor(this.#settings.maxEjected * this.#nodes.size))
  }
}

function namesOf(ids: readonly string[]): readonly string[] {
  const fits = Array.isArray(ids) && ids.length > 0 && ids.every((id) => typeof id === 'string' && id !== '')
  if (fits && new Set(ids).size === ids.length) return ids
  throw refused('Router', 'nodes', ids, 'a list of at least one name, each given once')
}
