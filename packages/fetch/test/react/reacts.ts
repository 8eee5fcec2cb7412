import { fileURLToPath } from 'node:url'
import type { BuildOptions } from 'esbuild'

/** This package's folder. */
export const PACKAGE: string = fileURLToPath(new URL('../..', import.meta.url))

/** The versions of React that the parts work under. */
export const REACTS = [18, 19] as const

/** A bundle with that React in it, for this package's dependencies too. */
export const withReact = (version: (typeof REACTS)[number]): BuildOptions => ({
  absWorkingDir: PACKAGE,
  alias: version === 19 ? {} : { react: 'react-18', 'react-dom': 'react-dom-18' },
  define: { 'process.env.NODE_ENV': '"development"' }, // StrictMode looks for side effects in no other
})
