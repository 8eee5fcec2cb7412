/** A namespace of data sources and pipes. Neither part has a slash. */
export interface Namespace {
  readonly tenant: string
  readonly dataset: string
}

/** What a data source is called within the gateway: `tenant/dataset/name`. */
export function sourceKey({ tenant, dataset }: Namespace, name: string): string {
  return `${tenant}/${dataset}/${name}`
}

/** As nodes know a namespace: `tenant/dataset`. */
export function namespaceKey({ tenant, dataset }: Namespace): string {
  return `${tenant}/${dataset}`
}

/** What a key is made of. */
export function partsOf(key: string): Namespace & { readonly name: string } {
  const [tenant = '', dataset = '', name = ''] = key.split('/')
  return { tenant, dataset, name }
}
