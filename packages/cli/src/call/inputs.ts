import { argumentsOf, type Operation, type Parameter } from '@sluice/openapi'
import { type Facts, factsOf, fieldsOf } from './facts.js'

/** One thing that an operation can be told on the command line. */
export interface Input {
  readonly place: 'path' | 'query' | 'header' | 'cookie' | 'body'
  /** As `requestOf` knows a parameter, and as `--arg` takes it: `per_page`; for a field of the body `body.NAME`. */
  readonly name: string
  /** The name in the document. */
  readonly key: string
  /** `--per-page`; null where no good flag can be made of the name. */
  readonly flag: string | null
  readonly required: boolean
  readonly description: string
  readonly deprecated: boolean
  readonly facts: Facts
}

/** `perPage`, `per_page` and `filter[per page]` in the words of a command line; '' where nothing is left. */
const kebab = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '')

/**
 * The parameters of an operation, and the fields of its body where it is a flat form or a JSON object, with their flags.
 *
 * A flag is the name in kebab-case. Where that is taken, by one of ours or by an input before it, the place is put
 * before: `--query-output`. `--no-…` means "not", so a name that begins so is treated alike.
 *
 * @param taken flags that there are already
 * @param bodyType the form of the body; default the first that has fields
 */
export function inputsOf(operation: Operation, taken: Iterable<string>, bodyType?: string): readonly Input[] {
  const used = new Set(taken)
  const found = [...parameters(operation), ...bodyFields(operation, bodyType)]
  return found.map((input) => {
    const name = kebab(input.key)
    const flag = [name, `${input.place}-${name}`]
      .filter((one) => name !== '' && !one.startsWith('no-'))
      .map((one) => `--${one}`)
      .find((one) => !used.has(one) && !(isSwitch(input) && used.has(one.replace('--', '--no-'))))
    if (flag !== undefined) used.add(flag)
    if (flag !== undefined && isSwitch(input)) used.add(flag.replace('--', '--no-'))
    return { ...input, flag: flag ?? null }
  })
}

/** Given as `--wait` or `--no-wait`. */
export const isSwitch = ({ facts }: Pick<Input, 'facts'>): boolean => facts.kinds.join() === 'boolean'

type Found = Omit<Input, 'flag'>

function parameters(operation: Operation): readonly Found[] {
  return argumentsOf(operation).flatMap(({ name, parameter }) => {
    const { in: place, name: key, required, description, deprecated, schema } = parameter
    // R2: ours to send, `--idempotency-key`.
    if (isKeyHeader(place, key)) return []
    const facts = factsOf(schema, operation.defs)
    return [{ place, name, key, required, description: description || facts.description, deprecated, facts }]
  })
}

const isKeyHeader = (place: string, name: string): boolean => place === 'header' && /^idempotency-key$/i.test(name)

/** The Idempotency-Key, where the document names it among the parameters. */
export const keyParameter = ({ parameters }: Operation): Parameter | undefined =>
  parameters.find((parameter) => isKeyHeader(parameter.in, parameter.name))

/** The form of a body whose fields are flags; undefined where no form has fields. */
export function fieldForm(operation: Operation, bodyType?: string): string | undefined {
  const forms = (operation.body?.content ?? []).filter(
    ({ contentType }) => bodyType === undefined || contentType === bodyType,
  )
  return forms.find(
    ({ contentType, schema }) =>
      /^application\/([\w.-]+\+)?json\b|^multipart\/form-data\b|^application\/x-www-form-urlencoded\b/i.test(
        contentType,
      ) && fieldsOf(schema, operation.defs).length > 0,
  )?.contentType
}

function bodyFields(operation: Operation, bodyType?: string): readonly Found[] {
  const form = fieldForm(operation, bodyType)
  const media = operation.body?.content.find(({ contentType }) => contentType === form)
  return fieldsOf(media?.schema, operation.defs).map(({ name: key, required, facts }) => {
    const { description } = facts
    return { place: 'body', name: `body.${key}`, key, required, description, deprecated: false, facts }
  })
}
