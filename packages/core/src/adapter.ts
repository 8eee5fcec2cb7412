// What a package that wears the policy needs beyond the public face.
export { causes } from './errors/causes.js'
export { onAbort } from './retry/on-abort.js'
export { mark, wasRetried } from './retry/outcome.js'
export { checkedPolicy, shown } from './retry/policy.js'
