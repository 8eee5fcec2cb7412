import { z } from 'zod'
import { NAME, NAME_RULE } from '../name-rule.js'
import type { ColumnType } from '../nodes/store-node.js'
import { strict } from '../schema-words.js'

const COLUMN = z.string('is not text').regex(NAME, NAME_RULE)
const TYPES = [
  ...(['String', 'Date', 'DateTime', 'Int8', 'Int16', 'Int32', 'Int64'] as const),
  ...(['UInt8', 'UInt16', 'UInt32', 'UInt64', 'Float32', 'Float64'] as const),
] satisfies readonly ColumnType[]
const DESCRIPTION = z.string('is not text').max(1000, 'has more than 1000 characters')
const upTo = (most: number) => {
  const message = `must be a number above 0, at most ${most}`
  return z.number(message).positive(message).max(most, message)
}
const whole = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`
  return z.int(message).min(min, message).max(max, message)
}

const column = strict({
  name: COLUMN,
  type: z.enum(TYPES, `is not one of ${TYPES.join(', ')}`),
  nullable: z.boolean('must be true or false').optional(),
  description: DESCRIPTION.optional(),
})

const plan = strict({
  flush_interval_ms: whole(10, 60_000).default(1000),
  backlog_max_bytes: whole(1_048_576, Number.MAX_SAFE_INTEGER).default(1_073_741_824),
  backlog_max_age_s: whole(60, 1_000_000_000).default(86_400),
  requests_per_second: upTo(1_000_000).default(5),
  burst: whole(1, 1_000_000).default(10),
  rows_per_second: upTo(1_000_000_000).default(10_000),
})

/** One column, as an administrator defines it. */
export interface ColumnDefinition {
  readonly name: string
  readonly type: ColumnType
  readonly nullable?: boolean | undefined
  readonly description?: string | undefined
}

/** A data source as it is defined, every default in place: `DataSourceDefinition` of the API. */
export interface Definition {
  readonly description: string
  readonly columns: readonly ColumnDefinition[]
  readonly partition?: { readonly column: string; readonly by: 'day' | 'month' | 'year' } | undefined
  readonly order_by: readonly string[]
  readonly plan: {
    readonly flush_interval_ms: number
    readonly backlog_max_bytes: number
    readonly backlog_max_age_s: number
    readonly requests_per_second: number
    readonly burst: number
    readonly rows_per_second: number
  }
}

/** What an administrator sends, or is kept. */
export const definitionSchema: z.ZodType<Definition> = strict({
  description: DESCRIPTION.default(''),
  columns: z.array(column, 'must be a list of columns').min(1, 'is empty').max(1000, 'has more than 1000 columns'),
  partition: strict({
    column: COLUMN,
    by: z.enum(['day', 'month', 'year'], 'is not one of day, month, year'),
  }).optional(),
  order_by: z.array(COLUMN, 'must be a list of columns').min(1, 'is empty').max(1000, 'has more than 1000').optional(),
  plan: plan.prefault({}),
})
  .superRefine((it, context) => {
    const columns = new Map(it.columns.map((one) => [one.name, one]))
    const fault = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
    const known = new Set<string>()
    for (const [i, { name }] of it.columns.entries()) {
      if (known.has(name)) fault(['columns', i, 'name'], `is there twice; give each column its own name`)
      known.add(name)
    }
    const sorted = it.order_by ?? it.columns.slice(0, 1).map(({ name }) => name)
    const there = [...columns.keys()].join(', ')
    for (const [i, name] of sorted.entries()) {
      const path = it.order_by ? ['order_by', i] : ['order_by']
      if (sorted.indexOf(name) < i) fault(path, 'is there twice; name each column once')
      else if (!columns.has(name)) fault(path, `is no column; there are ${there}`)
      else if (columns.get(name)?.nullable)
        fault(path, `${it.order_by ? '' : `"${name}" `}is nullable; rows are sorted by columns that are not`)
    }
    const by = it.partition && columns.get(it.partition.column)
    if (it.partition && !(by && /^Date/.test(by.type) && !by.nullable))
      fault(['partition', 'column'], `is no column of type Date or DateTime without null`)
  })
  .transform(({ order_by, ...it }) => ({
    ...it,
    order_by: order_by ?? it.columns.slice(0, 1).map(({ name }) => name),
  }))

/** Says why a definition cannot take the place of another one; undefined: it can. Columns are only ever added. */
export function conflictOf(before: Definition, after: Definition): string | undefined {
  const typeOf = ({ type, nullable }: ColumnDefinition) => (nullable ? `Nullable(${type})` : type)
  const columns = new Map(after.columns.map((it) => [it.name, it]))
  const added = 'Columns can only be added; make a new data source.'
  for (const was of before.columns) {
    const is = columns.get(was.name)
    if (is === undefined) return `Column "${was.name}" is there and cannot be removed. ${added}`
    if (typeOf(is) !== typeOf(was))
      return `Column "${was.name}" is ${typeOf(was)} and cannot become ${typeOf(is)}. ${added}`
  }
  const other = (what: string, was: unknown, is: unknown) =>
    JSON.stringify(was) === JSON.stringify(is)
      ? undefined
      : `The ${what} is ${JSON.stringify(was ?? null)} and cannot become ${JSON.stringify(is ?? null)}. Make a new data source.`
  const by = (it: Definition) => it.partition && { column: it.partition.column, by: it.partition.by }
  return other('partition', by(before), by(after)) ?? other('order', before.order_by, after.order_by)
}
