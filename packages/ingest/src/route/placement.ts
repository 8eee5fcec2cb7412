import type { Node } from './node.js'
import type { RouterSettings } from './options.js'
import { place as placeOf, score as scoreOf } from './score.js'

/** A whole multiple of the mean is whole, whatever binary fractions make of it. */
const ROUNDING = 1e-9

/**
 * Which node has which data source: rendezvous hashing with bounded load (I6). A data source stays where it is, unless a
 * node that it belongs to more comes to have room for it.
 */
export class Placement {
  readonly #settings: RouterSettings
  readonly #score: (source: string, node: string) => number
  readonly #place: (source: string) => number
  /** In the order of their last use. */
  readonly #nodes = new Map<string, Node>()

  constructor(
    settings: RouterSettings,
    score: (source: string, node: string) => number = scoreOf,
    place: (source: string) => number = placeOf,
  ) {
    this.#settings = settings
    this.#score = score
    this.#place = place
  }

  /** @param inService at least one */
  nodeFor(source: string, inService: readonly Node[], nowMs: number): Node | undefined {
    const current = this.#nodes.get(source)
    const chosen = this.#choose(source, current, inService, nowMs)
    if (!chosen) return undefined
    if (current !== chosen) {
      if (current) current.sources--
      chosen.sources++
    }
    this.#nodes.delete(source)
    this.#nodes.set(source, chosen)
    this.#forgetOldest()
    return chosen
  }

  #choose(source: string, current: Node | undefined, inService: readonly Node[], nowMs: number): Node | undefined {
    const scored = inService.map((node) => ({ node, score: this.#score(source, node.id) }))
    scored.sort((one, other) => other.score - one.score || (one.node.id < other.node.id ? -1 : 1))
    const sources = this.#nodes.size + (current ? 0 : 1)
    const room = Math.ceil((this.#settings.loadFactor * sources) / inService.length - ROUNDING)
    const place = this.#place(source)
    const admitting = scored.filter(({ node }) => place < node.shareAt(nowMs)).map(({ node }) => node)
    const chosen = admitting.find((node) => node === current || node.sources < room)
    if (chosen) return chosen
    // Nobody who takes it has room: nodes in slow start leave theirs to the others for a while.
    const anyone = admitting.length > 0 ? admitting : scored.map(({ node }) => node)
    const least = Math.min(...anyone.map(({ sources }) => sources))
    return anyone.find((node) => node.sources === least)
  }

  #forgetOldest(): void {
    if (this.#nodes.size <= this.#settings.maxSources) return
    for (const [source, node] of this.#nodes) {
      node.sources--
      this.#nodes.delete(source)
      return
    }
  }
}
