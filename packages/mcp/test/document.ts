import type { ApiDocument, Operation } from '@sluice/openapi'

const PLAIN: Operation = {
  ...{ id: 'items', method: 'GET', path: '/items', summary: '', description: '', tags: [], deprecated: false },
  ...{ parameters: [], body: null, responses: {}, security: [], servers: [], retry: {}, defs: {} },
}

/** A document that was read already, of operations that differ from `GET /items` in what is given. */
export function documentOf(...changes: Partial<Operation>[]): ApiDocument {
  const operations = changes.map((change) => ({ ...PLAIN, ...change }))
  const tags = [...new Set(operations.flatMap((one) => one.tags))].map((name) => ({ name, description: '' }))
  return {
    ...{ title: 'Test', version: '1', openapi: '3.1.0', servers: [], notes: [] },
    ...{ tags, operations },
    async operation(id) {
      const found = operations.find((one) => one.id === id)
      if (!found) throw new Error(`no operation ${id}`)
      return found
    },
  }
}
