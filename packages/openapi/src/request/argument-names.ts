import type { Operation, Parameter } from '../model/operation.js'

/** A parameter and the name it has among an operation's arguments. */
export interface Argument {
  readonly name: string
  readonly parameter: Parameter
}

/**
 * The names of an operation's arguments, the body apart, which is always `body`.
 *
 * A parameter goes by its own name. Where two share it, or it is `body` and the operation takes a body, it goes by
 * place and name: `query.body`.
 */
export function argumentsOf({ parameters, body }: Pick<Operation, 'parameters' | 'body'>): readonly Argument[] {
  const qualified = (parameter: Parameter): string => `${parameter.in}.${parameter.name}`
  const long = new Set<Parameter>()
  for (;;) {
    const taken = new Map<string, number>(body === null ? [] : [['body', 1]])
    for (const parameter of parameters) {
      const name = long.has(parameter) ? qualified(parameter) : parameter.name
      taken.set(name, (taken.get(name) ?? 0) + 1)
    }
    const clashing = parameters.filter((one) => !long.has(one) && (taken.get(one.name) ?? 0) > 1)
    if (clashing.length === 0) break
    for (const one of clashing) long.add(one)
  }
  return parameters.map((parameter) => ({
    name: long.has(parameter) ? qualified(parameter) : parameter.name,
    parameter,
  }))
}
