import type { HttpBindings } from '@hono/node-server'
import type { TokenIdentity } from '../auth/token-store.js'

/** What handlers find in their context. */
export interface GatewayEnv {
  Bindings: HttpBindings
  Variables: {
    /** Set behind the bearer check. */
    token: TokenIdentity
  }
}
