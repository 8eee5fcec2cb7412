// Writes what docs/controllers.md says between its markers: every controller over every scenario, and the pictures.
// Arguments are those of `sluice simulate compare`: `--tuned` adds peers that were searched for. On two cores `--seeds 3`
// without best-fixed takes a quarter of an hour, with it, `--tuned` and `--tuning-seeds 3` an hour, and all seeds a working day.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)
const page = new URL('docs/controllers.md', root)
const bin = fileURLToPath(new URL('packages/cli/bin/sluice.js', root))
const [START, END] = ['<!-- controllers:start -->', '<!-- controllers:end -->']

/** What is drawn: a scenario each, with the controllers that say most about it. */
const PICTURES = {
  'surge-double': 'none,seed,knee,oracle',
  overload: 'none,seed,knee,oracle',
  metastable: 'none,knee,client-throttling,oracle',
}

/** Progress stays on this terminal. */
const simulate = (...args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, 'simulate', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (more) => {
      text += more
    })
    child.on('error', reject).on('close', (code) => {
      if (code === 0) resolve(text)
      else reject(new Error(`sluice simulate ${args.join(' ')} ended with ${code}`))
    })
  })

const given = process.argv.slice(2)
const tables = await simulate('compare', '--markdown', ...given)
mkdirSync(new URL('docs/img/', root), { recursive: true })
for (const [scenario, controllers] of Object.entries(PICTURES)) {
  const svg = fileURLToPath(new URL(`docs/img/${scenario}.svg`, root))
  await simulate('run', scenario, '--controller', controllers, '--svg', svg)
}

const command = ['npm run matrix:sim', ...(given.length > 0 ? ['--', ...given] : [])].join(' ')
const [before, rest] = readFileSync(page, 'utf8').split(START)
const after = rest?.split(END)[1]
if (after === undefined) throw new Error(`docs/controllers.md has no ${START} … ${END}`)
writeFileSync(page, `${before}${START}\n\nMade by \`${command}\`.\n\n${tables}\n${END}${after}`)
