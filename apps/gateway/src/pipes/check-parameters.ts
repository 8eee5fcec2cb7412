import { type FieldFault, shortened } from '../field-fault.js'
import type { PipeParameter } from './parameter.js'
import type { Pipe } from './pipe.js'

/** One parameter that is not right. */
export type ParameterIssue = FieldFault

/** The values to bind, or everything that is wrong with what was sent. */
export type CheckedParameters =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly issues: readonly ParameterIssue[] }

/**
 * Checks a query string against a pipe's parameters: unknown ones, repeated ones, missing ones, wrong values.
 * @param search as it was sent, with or without its `?`
 */
export function checkParameters(pipe: Pipe, search: string): CheckedParameters {
  const sent = new URLSearchParams(search)
  const known = Object.entries(pipe.parameters)
  const issues = [...unreadableOnes(search), ...unknownOnes(pipe, sent)]
  const values: Record<string, string> = {}
  for (const [parameter, { schema, accepts, default: fallback }] of known) {
    const [value, ...more] = sent.getAll(parameter)
    if (more.length > 0) {
      issues.push({
        parameter,
        value: shortened(value ?? ''),
        message: `is there ${more.length + 1} times; send it once`,
      })
    } else if (value === undefined) {
      if (fallback === undefined) issues.push({ parameter, message: `is missing; send ${accepts}` })
      else values[parameter] = boundOf(schema, fallback)
    } else {
      const result = schema.safeParse(value)
      if (result.success) values[parameter] = result.data
      else issues.push({ parameter, value: shortened(value), message: `is not ${accepts}` })
    }
  }
  if (issues.length > 0) return { ok: false, issues }
  const issue = pipe.check?.(values)
  return issue === undefined ? { ok: true, values } : { ok: false, issues: [issue] }
}

/** A default as it is bound: an empty text may be one, though no caller can send it. */
export function boundOf(schema: PipeParameter['schema'], byDefault: string): string {
  return schema.safeParse(byDefault).data ?? byDefault
}

function unknownOnes(pipe: Pipe, sent: URLSearchParams): ParameterIssue[] {
  const names = Object.keys(pipe.parameters)
  const takes = names.length === 0 ? 'takes no parameters' : `takes ${names.join(', ')}`
  return [...new Set(sent.keys())]
    .filter((name) => !Object.hasOwn(pipe.parameters, name))
    .map((name) => ({ parameter: shortened(name), message: `is not a parameter of ${pipe.name}, which ${takes}` }))
}

/** Bytes that are no UTF-8 would come as another character than was sent. */
function unreadableOnes(search: string): ParameterIssue[] {
  if (!/%[89a-f]/i.test(search)) return []
  return search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => decoded(pair).includes('\ufffd') && !/%ef%bf%bd/i.test(pair))
    .map((pair) => {
      const [parameter = '', value = ''] = pair.split(/=(.*)/s).map((it) => shortened(decoded(it)))
      return { parameter, value, message: 'is not UTF-8; send text in UTF-8, percent-encoded' }
    })
}

/** As URLSearchParams reads it. */
const decoded = (pair: string): string => new URLSearchParams(`=${pair}`).get('') ?? ''
