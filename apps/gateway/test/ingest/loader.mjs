// A gateway that is killed: it says where it answers, and goes on until then.
import { setTimeout as sleep } from 'node:timers/promises'
import { startGateway } from '@sluice/gateway'

const [, , spoolDir, secret] = process.argv
const breaker = { slowRatio: 1e9, oldIntervals: 1e9 } // `patient`
const options = {
  ...{ spoolDir, breaker, datasets: [], pipes: [], tokens: [{ name: 'admin', token: secret, scopes: ['admin'] }] },
  plans: { default: { ratePerSecond: 1e6, burst: 1e6 } },
}
// The engine of the gateway that was killed ends by itself, a moment later; till then it has its folder.
let gateway
for (let tries = 0; gateway === undefined; tries++)
  gateway = await startGateway(options).catch((error) => {
    if (tries > 40 || !String(error).includes('cannot open')) throw error
    return sleep(250)
  })
console.log(gateway.url)
