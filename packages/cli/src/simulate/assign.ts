import { UsageError } from '../usage-error.js'

/**
 * Does what `--set server.cores=14` says: a path of a scenario's fields, of a list by number (`faults[0].at_s`), and a value
 * as JSON; what is no JSON is a text. What only its server has may stand alone (`cores=14`). Whether the scenario may hold
 * that is for its schema to say.
 *
 * @throws UsageError that names the option, and the part of the path that leads nowhere
 */
export function assign(scenario: { readonly server?: unknown }, setting: string): void {
  const equals = setting.indexOf('=')
  if (equals <= 0) throw new UsageError(`--set: write FIELD=VALUE, server.cores=14 say; got ${setting}`)
  const path = setting.slice(0, equals)
  const steps = path.replace(/\[(\d+)\]/g, '.$1').split('.')
  const last = steps.pop() ?? ''
  const { server } = scenario
  const isServers =
    steps.length === 0 && !Object.hasOwn(scenario, last) && isHolder(server) && Object.hasOwn(server, last)
  let holder: unknown = isServers ? server : scenario
  for (const [at, step] of steps.entries()) {
    const held = isHolder(holder) && Object.hasOwn(holder, step) ? holder[step] : undefined
    if (!isHolder(held)) throw new UsageError(noWay(steps.slice(0, at + 1).join('.'), held, holder, path))
    holder = held
  }
  const isPlace = !Array.isArray(holder) || Number(last) < holder.length
  if (!isHolder(holder) || !isPlace) throw new UsageError(noWay(path, undefined, holder, path))
  Object.defineProperty(holder, last, { value: read(setting.slice(equals + 1)), enumerable: true, writable: true })
}

type Holder = Record<string, unknown>

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function noWay(part: string, held: unknown, holder: unknown, path: string): string {
  if (held === null)
    return `--set ${path}: ${part} is null in this scenario; set all of it, as JSON: --set '${part}={…}'`
  if (held !== undefined) return `--set ${path}: ${part} is ${JSON.stringify(held)}, and has no fields`
  const there = Array.isArray(holder)
    ? `the list has 0 to ${holder.length - 1}`
    : `there are ${Object.keys(Object(holder)).join(', ')}`
  return `--set ${path}: there is no ${part}; ${there}`
}
