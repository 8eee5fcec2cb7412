// `npm run pack -- FOLDER`: tarballs of what will be published, and how to install them into a project of yours.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { PUBLISHED } from './published.mjs'

const [folder] = process.argv.slice(2)
if (!folder) {
  console.error('Say where to: npm run pack -- FOLDER')
  process.exit(2)
}
const root = fileURLToPath(new URL('..', import.meta.url))
const target = resolve(env.INIT_CWD ?? '.', folder) // where npm was called, not where it runs scripts
for (const path of PUBLISHED) {
  const shell = process.platform === 'win32'
  const packed = spawnSync('pnpm', ['pack', '--pack-destination', target], {
    cwd: join(root, path),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell,
  })
  if (packed.status !== 0) process.exit(packed.status ?? 1)
}
const files = readdirSync(target).filter((name) => /^sluice-.*\.tgz$/.test(name))
console.log(`In your project:\n  npm install ${files.map((name) => join(target, name)).join(' ')}`)
