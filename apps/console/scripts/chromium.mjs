import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { env } from 'node:process'
import { chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const executablePath = (env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((path) => existsSync(path))

export const hasChromium = env.CI === 'true' || executablePath !== undefined

export function startChromium() {
  if (executablePath === undefined) throw new Error(`none of ${NAMES.join(', ')} is on the PATH`)
  const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', ...quiet] })
}
