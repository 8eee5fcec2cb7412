import { existsSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { delimiter, join } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build } from 'esbuild'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const executablePath = (env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((path) => existsSync(path))

/** Whether a Chromium is here. Where it has to be (`CI=true`) tests run without asking, and fail. */
export const hasChromium: boolean = env.CI === 'true' || executablePath !== undefined

let started: Promise<Browser> | undefined

/**
 * One for all files of this process, which it ends with: nobody else closes it, and whoever opens a page closes that.
 * No test downloads a browser: it is the machine's own, with a fresh profile, and asks nobody anything.
 */
export function startChromium(): Promise<Browser> {
  started ??= launch()
  return started
}

async function launch(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(`none of ${NAMES.join(', ')} is on the PATH`)
  const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', ...quiet],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
}

/**
 * One script of a program and of everything it imports, as a page loads it.
 *
 * @param program a file beside this one, or `stdin`, which tells what it is
 */
export async function bundle(
  program: string | NonNullable<BuildOptions['stdin']>,
  more?: BuildOptions,
): Promise<string> {
  const { outputFiles } = await build({
    ...(typeof program === 'string'
      ? { entryPoints: [fileURLToPath(new URL(program, import.meta.url))] }
      : { stdin: program }),
    ...{ bundle: true, write: false, format: 'iife', target: 'es2022', logLevel: 'error' },
    plugins: [
      {
        // What loads and checks tables needs Node and a compiler of schemas: in a page they are handed over.
        name: 'not in a page',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^[^./]/ }, ({ path }) =>
            isBuiltin(path) || /^(ajv|@sluice\/spec)/.test(path) ? { path, namespace: 'nothing' } : undefined,
          )
          onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {}' }))
        },
      },
    ],
    ...more,
  })
  const [script] = outputFiles ?? []
  if (!script) throw new Error('esbuild made nothing')
  return script.text
}
