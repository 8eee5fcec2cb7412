export { run } from './run.js'
export type { World } from './world.js'
