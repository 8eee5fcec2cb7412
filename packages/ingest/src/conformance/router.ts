import type { Router } from '../route/router.js'
import { inCamelCase, type Json, type MakeMachine, repeat } from './machine.js'

/** The part of the public face that routes. */
export interface RouterFace {
  Router: typeof Router
}

const fieldOf = (error: unknown): unknown => (error instanceof TypeError && 'field' in error ? error.field : error)

export const router: MakeMachine<RouterFace> = ({ Router }, { nodes, scores, scores_of, places, ...config }, clock) => {
  const table = (value: unknown, name: string): Json => ((value as Json | undefined)?.[name] ?? {}) as Json
  const machine = new Router({
    ...inCamelCase(config),
    nodes: (nodes as unknown[]).map(String),
    score: (source, node) => Number(table(scores_of, source)[node] ?? (scores as Json)[node]),
    place: (source) => Number((places as Json | undefined)?.[source] ?? 0),
    clock,
  })
  const refused = (act: () => void): Json => {
    try {
      act()
      return {}
    } catch (error) {
      return { error: fieldOf(error) }
    }
  }
  return {
    actions: {
      route: ({ source }) => {
        const { node, isProbe } = machine.route(String(source))
        return { node, probe: isProbe }
      },
      routes: ({ count }) => {
        for (let i = 0; i < Number(count); i++) machine.route(`s${i}`)
        return undefined
      },
      report: ({ node, written, took_ms, times, probe = false }) => {
        const route = { node: String(node), isProbe: Boolean(probe) }
        const outcome = written ? { isWritten: true as const, tookMs: Number(took_ms) } : { isWritten: false as const }
        repeat(times, () => machine.report(route, outcome))
        return undefined
      },
      set_nodes: (of) => refused(() => machine.setNodes(of as unknown as string[])),
      force: ({ source, node }) => refused(() => machine.force(String(source), node === null ? null : String(node))),
    },
    read: () => {
      const all = machine.read()
      const readings = all.map(({ node, failuresInARow, p90Ms, untilMs, ...same }) => {
        return [node, { ...same, failures: failuresInARow, p90_ms: p90Ms, until_ms: untilMs }]
      })
      return { nodes: Object.fromEntries(readings), out: all.filter(({ state }) => state !== 'in_service').length }
    },
  }
}
