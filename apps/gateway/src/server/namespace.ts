import type { MiddlewareHandler } from 'hono'
import { shortened } from '../field-fault.js'
import type { GatewayEnv } from './env.js'
import { badParameters, Refusal } from './refusal.js'

const ID = /^[A-Za-z0-9._-]{1,64}$/

/** Whose data sources and pipes are meant: the token's tenant, and one data set of it. 403 for another tenant. */
export const readNamespace: MiddlewareHandler<GatewayEnv> = async (c, next) => {
  const tenant = c.req.header('x-tenant-id')
  const dataset = c.req.header('x-dataset-id')
  const headers = Object.entries({ 'X-Tenant-ID': tenant, 'X-Dataset-ID': dataset })
  const faults = headers.flatMap(([parameter, value]) =>
    value === undefined || ID.test(value)
      ? []
      : [{ parameter, value: shortened(value), message: 'is not 1 to 64 letters, digits, ".", "_" or "-"' }],
  )
  if (faults.length > 0) throw badParameters(faults)
  const own = c.var.token.tenant
  if (tenant !== undefined && tenant !== own) {
    throw new Refusal({
      status: 403,
      kind: 'other-tenant',
      title: 'Other tenant',
      detail: `X-Tenant-ID "${tenant}" is not the token's tenant. Leave the header out, or use a token of that tenant.`,
    })
  }
  c.set('namespace', { tenant: own, dataset: dataset ?? 'default' })
  await next()
}
