// What a package that wears the policy needs beyond the public face.
export { isBranded } from './errors/brand.js'
export { causes } from './errors/causes.js'
export { onAbort } from './retry/on-abort.js'
export { mark, wasRetried } from './retry/outcome.js'
export { checkedPolicy, shown } from './retry/policy.js'
export { type OperationSettings, policyOfSettings } from './retry/policy-of-settings.js'
export { presets } from './retry/presets/by-name.js'
