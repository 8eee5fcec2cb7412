import { ServerNode } from '@sluice/gateway/nodes'
import { startClickHouse } from './servers.js'
import { describeStoreNode, SLOW_VIEW, slow } from './store-node.contract.js'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

describeStoreNode('a ClickHouse server', async () => {
  const server = await startClickHouse()
  const { url, user, password } = server
  const node = new ServerNode({ name: 'server-1', url, user, password, logger: silent })
  await node.start()
  await node.define(slow, new AbortController().signal)
  await server.sql(`CREATE MATERIALIZED VIEW slow_view ${SLOW_VIEW}`)
  return {
    node,
    crash: () => server.restart(),
    close: async () => {
      await node.close()
      await server.close()
    },
  }
})
