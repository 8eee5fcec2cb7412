import type { Operation } from '@sluice/openapi'

/** The parameters that a document describes although a security scheme or fetch itself fills them. */
const FILLED = /^(authorization|proxy-authorization|cookie|content-type|content-length|accept|host)$/i

/**
 * The operation without what a credential goes into, since an agent is never asked for one, and without the headers that
 * the user has set.
 */
export function withoutCredentials(operation: Operation, given: Headers): Operation {
  const keys = operation.security.flat().filter((scheme) => scheme.type === 'apiKey')
  const parameters = operation.parameters.filter(
    ({ name, in: place }) =>
      !(place === 'header' && (FILLED.test(name) || given.has(name))) &&
      !keys.some((key) => key.in === place && key.parameter.toLowerCase() === name.toLowerCase()),
  )
  return parameters.length === operation.parameters.length ? operation : { ...operation, parameters }
}
