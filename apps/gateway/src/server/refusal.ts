import { describeFaults, type FieldFault, shortened } from '../field-fault.js'
import type { Problem } from './problem.js'

/** A request is answered with a problem, wherever that shows. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(readonly problem: Problem) {
    super(problem.detail)
  }
}

/** 400: parameters or headers. */
export function badParameters(faults: readonly FieldFault[]): Refusal {
  const members = { errors: faults }
  return new Refusal({
    ...{ status: 400, kind: 'bad-parameters', title: 'Bad parameters', detail: describeFaults(faults), members },
  })
}

/** 400: what is in a body. */
export function badBody(faults: readonly FieldFault[]): Refusal {
  const members = { errors: faults }
  return new Refusal({ status: 400, kind: 'bad-body', title: 'Bad body', detail: describeFaults(faults), members })
}

/** 404: names those that its asker may see. */
export function unknownDataSource(name: string, dataset: string, known: readonly string[]): Refusal {
  const there = known.length === 0 ? 'There are none that this token may see.' : `There are: ${listed(known)}.`
  return new Refusal({
    status: 404,
    kind: 'unknown-data-source',
    title: 'No such data source',
    detail: `There is no data source "${shortened(name)}" in data set "${dataset}". ${there}`,
  })
}

/** 415. */
export function unsupported(type: string | undefined, takes: string): Refusal {
  const what = type === undefined ? 'A body without Content-Type' : shortened(type)
  return new Refusal({
    status: 415,
    kind: 'unsupported-media-type',
    title: 'Unsupported media type',
    detail: `${what} is not taken here. Send ${takes}.`,
  })
}

const MOST_NAMES = 50

/** Names, not more than one reads. */
export function listed(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  return names.slice(0, MOST_NAMES).join(', ') + more
}
