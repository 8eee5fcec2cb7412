// What a policy is made of, so that one package is enough.
export {
  awsJson,
  background,
  disabled,
  github,
  interactive,
  openai,
  type RetryPolicy,
  type RetryPolicyOptions,
  retryPolicy,
  shopify,
  stripe,
} from '@sluice/core'
export type { CallEnded } from './call/settings.js'
export { THROTTLE_META, THROTTLED_CODE, type Throttle } from './call/throttle.js'
export { run } from './run.js'
export {
  createMcpServer,
  createMcpServers,
  type McpServerOptions,
  type McpServers,
} from './serve/create-mcp-server.js'
export type { Selection } from './tools/select.js'
export { UsageError } from './usage-error.js'
export type { World } from './world.js'
