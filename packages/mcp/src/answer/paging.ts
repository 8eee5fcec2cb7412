import { argumentsOf, type Operation } from '@sluice/openapi'

const PAGING =
  /^(page|per_?page|page_?(size|number|token|index)|limit|offset|cursor|after|before|starting_after|ending_before|count|size|skip|top|take|first|last|max_?results|next_?token|since_?id)$/i

/** How to ask for less, in words that name the operation's own parameters. */
export function pagingHint(operation: Operation): string {
  const names = argumentsOf(operation)
    .filter(({ parameter }) => parameter.in === 'query')
    .map(({ name }) => name)
  const paging = names.filter((name) => PAGING.test(name.replace(/^[$_]|[$_]$|\[|\]/g, '').replace(/-/g, '_')))
  if (paging.length > 0) return `ask for the rest, or for less, with ${paging.join(', ')}`
  return names.length > 0 ? `ask for less with ${names.slice(0, 5).join(', ')}` : 'it cannot be had in parts'
}
