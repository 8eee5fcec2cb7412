import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ParameterIssue, PipeListing } from '@sluice/gateway'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Body, ProblemStatus } from '../../src/server/contract.js'

const folder = fileURLToPath(new URL('../..', import.meta.url))

describe('the types of the contract', () => {
  it('are those of spec/openapi.yaml as it is now; `pnpm run contract` makes them anew', () => {
    const { contract } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts
    const [command, ...args] = contract.split(' ')
    expect(command).toBe('openapi-typescript')
    const entry = createRequire(import.meta.url).resolve('openapi-typescript/package.json')
    // Fails, and says so, where the file is not what would be written.
    execFileSync(process.execPath, [join(dirname(entry), 'bin', 'cli.js'), ...args, '--check'], { cwd: folder })
  })

  it('are kept by what the gateway exports', () => {
    expectTypeOf<PipeListing>().toExtend<Body['Pipe']>()
    expectTypeOf<ParameterIssue>().toExtend<Body['FieldError']>()
    expectTypeOf<400 | 401 | 404 | 405 | 411 | 413 | 429 | 500 | 503 | 504>().toExtend<ProblemStatus>()
    expectTypeOf<418>().not.toExtend<ProblemStatus>()
  })
})
