import { describeFaults, type FieldFault, shortened } from '../field-fault.js'
import { NAME, NAME_RULE } from '../name-rule.js'
import type { TooManyError } from '../state/too-many-error.js'
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

/** @throws Refusal 400 for what cannot be the name of a data source or pipe */
export function requireName(name: string): void {
  if (!NAME.test(name)) throw badParameters([{ parameter: 'name', value: shortened(name), message: NAME_RULE }])
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

/** 404: there are no data sources at all, which every token may know. */
export function keepsNothing(name: string): Refusal {
  return new Refusal({
    status: 404,
    kind: 'unknown-data-source',
    title: 'No such data source',
    detail: `There is no data source "${shortened(name)}": ${KEEPS_NOTHING}`,
  })
}

/** What is to be done about it. */
export const KEEPS_NOTHING = 'this gateway keeps nothing. Whoever runs it starts it with --spool (or spoolDir).'

/** 503: the disk. Nobody knows when it has room again. */
export function notKept(): Refusal {
  const detail =
    'This could not be put on disk, and nothing has changed. Whoever runs the gateway finds why in its log.'
  return new Refusal({ status: 503, kind: 'unavailable', title: 'Unavailable', detail })
}

/** 409: what is new needs room that only its tenant can make. */
export function tooMany({ what, most }: TooManyError): Refusal {
  return new Refusal({
    status: 409,
    kind: `too-many-${what.replace(' ', '-')}`,
    title: `Too many ${what}`,
    detail: `This tenant has ${most} ${what} in all its data sets, which is as many as it may have. Delete one first.`,
  })
}

/**
 * 429: of what all tenants share one has its part. Whoever of it comes next has to wait for itself.
 * @param what as it goes on after "This tenant": "has 60 MiB of bodies being read"
 */
export function tenantBusy(what: string): Refusal {
  return new Refusal({
    status: 429,
    kind: 'tenant-busy',
    title: 'Tenant busy',
    detail: `This tenant ${what}, which is all it may at once. Come back in 1 s, with fewer requests at once.`,
    headers: { 'Retry-After': '1' },
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
