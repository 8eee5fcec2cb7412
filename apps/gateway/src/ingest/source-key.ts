import { z } from 'zod'

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

/** Whose a key is. */
export function tenantOf(key: string): string {
  return key.slice(0, key.indexOf('/'))
}

/** What a key is made of. */
export function partsOf(key: string): Namespace & { readonly name: string } {
  const [tenant = '', dataset = '', name = ''] = key.split('/')
  return { tenant, dataset, name }
}

const id = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, ".", "_" or "-"')

/** What a file has of each thing that it keeps: its namespace, and its name there. */
export const keptName: Readonly<Record<'tenant' | 'dataset' | 'name', z.ZodString>> = {
  tenant: id,
  dataset: id,
  name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'is not a name: a-z, 0-9 and _, a letter first'),
}
