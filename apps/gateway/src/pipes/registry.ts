import { ConfigError } from '../config-error.js'
import { shortened } from '../field-fault.js'
import { checkPipe } from './check-pipe.js'
import type { Pipe } from './pipe.js'

/** A parameter as callers may read it. */
export interface ParameterListing {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly accepts: string
  readonly required: boolean
  readonly default?: string
}

/** A pipe as callers may read it: everything but its SQL. */
export interface PipeListing {
  readonly name: string
  readonly description: string
  readonly href: string
  readonly parameters: readonly ParameterListing[]
}

/** The pipes of a gateway, checked once at its start. */
export class PipeRegistry {
  readonly #pipes = new Map<string, Pipe>()

  /** @throws ConfigError when two share a name, or a pipe's SQL and its parameters do not agree */
  constructor(pipes: readonly Pipe[]) {
    for (const [i, pipe] of pipes.entries()) {
      checkPipe(pipe, `pipes.${i}`)
      if (this.#pipes.has(pipe.name)) fail(pipe, 'is there twice; give each pipe its own name')
      const fault = placeholderFault(pipe)
      if (fault !== undefined) fail(pipe, fault)
      this.#pipes.set(pipe.name, pipe)
    }
  }

  get names(): readonly string[] {
    return [...this.#pipes.keys()]
  }

  /** How many there are whose queries need no slot. */
  get pastLimit(): number {
    return [...this.#pipes.values()].filter((pipe) => pipe.pastLimit).length
  }

  find(name: string): Pipe | undefined {
    return this.#pipes.get(name)
  }

  list(): readonly PipeListing[] {
    return [...this.#pipes.values()].map(listingOf)
  }
}

/** A pipe as callers may read it. */
export function listingOf({ name, description, parameters }: Pipe): PipeListing {
  return {
    name,
    description,
    href: `/v1/pipes/${name}`,
    parameters: Object.entries(parameters).map(([parameter, it]) => ({
      name: parameter,
      type: it.type,
      description: it.description,
      accepts: it.accepts,
      required: it.default === undefined,
      ...(it.default !== undefined && { default: it.default }),
    })),
  }
}

/**
 * A placeholder without a value would fail each call; a value without a placeholder would be silently ignored.
 * @returns undefined: all agree
 */
export function placeholderFault(pipe: Pick<Pipe, 'sql' | 'parameters'>): string | undefined {
  const placeholders = new Map<string, string>()
  // Spaces are one repetition with what they are around: as two, thousands of them would take minutes.
  for (const [, name = '', spaced = ''] of pipe.sql.matchAll(/\{\s*(\w+)\s*:([\w()\s]+)\}/g)) {
    const type = spaced.trim()
    const declared = Object.hasOwn(pipe.parameters, name) ? pipe.parameters[name]?.type : undefined
    const fault = undeclaredFault(name, type, declared)
    if (fault !== undefined) return fault
    placeholders.set(name, type)
  }
  for (const name of Object.keys(pipe.parameters)) {
    if (!placeholders.has(name)) return `has a parameter "${name}" that its SQL does not use`
  }
  return undefined
}

/** What is wrong with a placeholder, after the name of its SQL; undefined: nothing. @param declared the parameter's type */
export function undeclaredFault(name: string, type: string, declared: string | undefined): string | undefined {
  if (declared === type) return undefined
  const what = `has {${shortened(name)}:${shortened(type)}}`
  if (declared === undefined) return `${what}, but ${shortened(name)} is no parameter; add it to parameters`
  return `${what}, but ${name} is declared as ${declared}; write {${name}:${declared}}, or declare it as ${shortened(type)}`
}

function fail(pipe: Pipe, problem: string): never {
  throw new ConfigError('options', `pipes.${pipe.name}`, problem)
}
