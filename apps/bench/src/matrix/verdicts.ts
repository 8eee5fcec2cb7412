import type { About } from './client.js'
import { contextOf, judge, type Verdict } from './judge.js'
import type { Probe } from './probe.js'
import type { ClientRun } from './run-client.js'

/** A verdict, with the maintainers' word where they have one. */
export interface Cell extends Verdict {
  /** Address of the documentation behind a ~. */
  source?: string
}

/** A ✗ that the maintainers document is a difference and no surprise: ~. Any other finding stays what it is. */
function annotate(verdict: Verdict, probe: Probe, { choices, notApplicable }: About, configuration: string): Cell {
  const not = notApplicable?.find(({ probes }) => probes.includes(probe.id))
  if (not) return { mark: '–', finding: 'not-applicable', says: not.why }
  if (verdict.mark !== '✗') return verdict
  const choice = choices.find(
    (one) =>
      one.probes.includes(probe.id) &&
      one.finding === verdict.finding &&
      (one.in === undefined || one.in === configuration),
  )
  return choice
    ? { ...verdict, mark: '~', says: `${verdict.says} Documented: ${choice.says}`, source: choice.source }
    : verdict
}

/** Probe id → cell. */
export function verdictsOf({ about, configuration, seen }: ClientRun, probes: Probe[]): Map<string, Cell> {
  const context = contextOf((id) => seen.get(id))
  return new Map(
    probes.flatMap((probe) => {
      const observed = seen.get(probe.id)
      return observed ? [[probe.id, annotate(judge(probe, observed, context), probe, about, configuration)]] : []
    }),
  )
}
