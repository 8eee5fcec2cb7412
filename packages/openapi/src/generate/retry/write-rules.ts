import type { RetrySettings } from '../../model/retry-settings.js'
import type { Rule } from './plan.js'

/** What the text of `retry.gen.ts` is made of. */
export interface RulesText {
  readonly header: string
  /** What the document says of every operation. */
  readonly all: RetrySettings
  readonly rules: readonly Rule[]
  readonly basePaths: readonly string[]
}

/** `retry.gen.ts`: the document's table, and the two functions that users see. */
export function writeRules({ header, all, rules, basePaths }: RulesText): string {
  const { disabled, idempotent = false, preset = 'interactive', ...fields } = all
  const start = disabled ? 'disabled' : nameOf(preset)
  const changes = Object.keys(fields).length > 0 && !disabled
  const presets = [start, ...rules.flatMap((rule) => (rule.preset === undefined ? [] : [nameOf(rule.preset)]))]
  const values = [...new Set(changes ? [...presets, 'retryPolicy'] : presets)].sort()
  return `${header}
import { ${values.join(', ')}, type SluiceFetch } from '@sluice/fetch';
import {
    type DocumentRules,
    type OperationClient,
    operationFetch,
    type OperationFetchOptions,
    useFetch
} from './retry/operation-fetch.js';

export type { OperationClient, OperationFetchOptions } from './retry/operation-fetch.js';

const document: DocumentRules = {
    policy: ${changes ? `retryPolicy(${literal(fields)}, ${start})` : start},
    idempotent: ${idempotent},
    basePaths: [${basePaths.map(quoted).join(', ')}],
    operations: [${rules.map((rule) => `\n        ${line(rule)},`).join('')}${rules.length > 0 ? '\n    ' : ''}]
};

/**
 * A fetch that backs off as the document says, operation by operation. It takes what \`createFetch()\` of @sluice/fetch
 * takes; a \`policy\` given here stands in place of what the document says of all operations.
 *
 * @throws TypeError for an option there is none of, or a policy that was not made by \`retryPolicy()\`
 */
export const createOperationFetch = (options: OperationFetchOptions = {}): SluiceFetch => operationFetch(document, options);

/**
 * Lets a client of this SDK back off: one of your own, or the default one again with other options.
 *
 * @returns the same client
 */
export const retryOperations = <Client extends OperationClient>(client: Client, options: OperationFetchOptions = {}): Client =>
    useFetch(client, createOperationFetch(options));
`
}

const line = ({ method, path, once, idempotent, preset, fields }: Rule): string =>
  `{ ${[
    `method: ${quoted(method)}`,
    `path: ${quoted(path)}`,
    ...(once ? ['once: true'] : []),
    ...(idempotent === undefined ? [] : [`idempotent: ${idempotent}`]),
    ...(preset === undefined ? [] : [`preset: ${nameOf(preset)}`]),
    ...(fields === undefined ? [] : [`fields: ${literal(fields)}`]),
  ].join(', ')} }`

/** A preset's name in code: `aws-json` is exported as `awsJson`. */
const nameOf = (preset: string): string => preset.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** Names are RetrySettings' own, values were checked to be whole numbers. */
const literal = (fields: object): string =>
  `{ ${Object.entries(fields)
    .map(([name, value]) => `${name}: ${Number(value)}`)
    .join(', ')} }`

/** A string of the document as a literal that holds nothing but itself. */
const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
