import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The folders of all packages that are published. */
export const PUBLISHED = ['spec', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)].filter(
  (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).private !== true,
)
