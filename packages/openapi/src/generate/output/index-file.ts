/** The entry of the output: what hey-api exports, the client, the retries, the types of openapi-typescript. */
export function writeIndex(header: string, sdkIndex: string | undefined): string {
  const taken = new Set(sdkIndex?.match(/[\p{L}\p{N}_$]+/gu))
  // A name that the document has taken for itself is left to it: ours is then imported from its own file.
  const line = (kind: string, names: readonly string[], file: string): string => {
    const free = names.filter((name) => !taken.has(name))
    return free.length === 0 ? '' : `${kind} { ${free.join(', ')} } from './${file}.js';\n`
  }
  const sdk = sdkIndex === undefined ? '' : `${sdkIndex.slice(sdkIndex.indexOf('\n\n') + 2)}`
  return `${header}\n\n${sdk}${
    sdkIndex === undefined
      ? ''
      : line('export', ['client'], 'client.gen') +
        line('export', ['createClient', 'createConfig'], 'client/index') +
        line('export type', ['Client', 'Config'], 'client/index')
  }${line('export', ['createOperationFetch', 'retryOperations'], 'retry.gen')}${line(
    'export type',
    ['OperationClient', 'OperationFetchOptions'],
    'retry.gen',
  )}${line('export type', ['components', 'operations', 'paths', 'webhooks'], 'schema.gen')}`
}
