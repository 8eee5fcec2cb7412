// Nodes by themselves, for programs and tests that write and read without the API

export type { EmbeddedNodeOptions } from './embedded/embedded-node.js'
export { EmbeddedNode } from './embedded/embedded-node.js'
export { EngineError } from './engine-error.js'
export type { NodeAnswer, NodeQuery, NodeState, NodeTrouble, QueryNode, RunningQuery } from './node.js'
export { NodeUnavailableError } from './node-unavailable-error.js'
export { QueryTimeoutError } from './query-timeout-error.js'
export { SchemaConflictError } from './schema-conflict-error.js'
export { type Replicated, ServerNode, type ServerNodeOptions } from './server/server-node.js'
export type { ColumnType, StoreNode, TableColumn, TableDefinition, TablePartition } from './store-node.js'
