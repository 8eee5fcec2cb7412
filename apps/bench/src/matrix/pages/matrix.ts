import type { Probe } from '../probe.js'
import type { ClientRun } from '../run-client.js'
import type { Cell } from '../verdicts.js'

/** One client in both configurations, with its verdicts. */
export interface Column {
  run: ClientRun
  cells: Map<string, Cell>
}

/** What the pages are made of. */
export interface Matrix {
  probes: Probe[]
  /** Grouped by client: its configurations, in order. */
  clients: { name: string; id: string; columns: Column[] }[]
  /** Package → exact version. */
  versions: Map<string, string>
  /** `2026-01-31` */
  date: string
  node: string
}

export const anchor = (configuration: string, probe: string): string => `${configuration}-${probe}`

/** Rows under their headings, in order. */
export function groupsOf(probes: Probe[]): [string, Probe[]][] {
  const groups = new Map<string, Probe[]>()
  for (const probe of probes) groups.set(probe.group, [...(groups.get(probe.group) ?? []), probe])
  return [...groups]
}
