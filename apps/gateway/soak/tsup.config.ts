import type { Options } from 'tsup'

/** The soaks, with the servers and the proxy of the tests. The gateway is not in it: it is started as it is built. */
const options: Options = {
  entry: { main: 'soak/main.ts' },
  outDir: 'soak/dist',
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  external: [/^@sluice\//], // as they are built
}

export default options
