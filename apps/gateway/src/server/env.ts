import type { HttpBindings } from '@hono/node-server'
import type { TokenIdentity } from '../auth/token-store.js'
import type { Namespace } from '../ingest/source-key.js'

/** What handlers find in their context. */
export interface GatewayEnv {
  Bindings: HttpBindings
  Variables: {
    /** Set behind the bearer check. */
    token: TokenIdentity
    /** Set behind the check of the headers that name it. */
    namespace: Namespace
  }
}
