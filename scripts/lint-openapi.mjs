// Lints spec/openapi.yaml by the rules of redocly.yaml. Offline: nothing is reported home and no update is looked for.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const { status, error } = spawnSync('redocly', ['lint', '--format=stylish'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
if (error) console.error(`redocly could not be started: ${error.message}. Run this as npm run lint:openapi.`)
process.exit(status ?? 1)
