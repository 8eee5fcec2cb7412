import { maySee } from '../auth/scopes.js'
import type { TokenIdentity } from '../auth/token-store.js'
import type { Namespace } from '../ingest/source-key.js'

/** Who looks, and so what is shown: the data sources of one namespace for which a token has a scope. */
export interface Viewer {
  /** Those with the same one see the same. */
  readonly key: string
  readonly namespace: Namespace
  readonly sees: (name: string) => boolean
}

/** A token that looks at one of its namespaces. */
export function viewerOf({ name, scopes }: TokenIdentity, namespace: Namespace): Viewer {
  return { key: JSON.stringify([name, namespace.dataset]), namespace, sees: (source) => maySee(scopes, source) }
}
