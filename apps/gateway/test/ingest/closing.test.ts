import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { fileNameOf } from '../../src/state/line-log.js'
import { until } from '../running-gateway.js'

const bin = fileURLToPath(new URL('../../bin/sluice-gateway.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sluice-hanging-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

it('a quarantine that hangs holds up the end of the command no longer than its grace, and is told', async () => {
  const child = spawn(process.execPath, [bin, '--port', '0', '--spool', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  try {
    await until('it answers', () => child.exitCode !== null || /only here: \S+\n/.test(said))
    const url = /answers on (\S+)/.exec(said)?.[1]
    const token = /only here: (\S+)/.exec(said)?.[1]
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const ask = (method: string, path: string, body: unknown) =>
      fetch(`${url}/v1/datasources/clicks${path}`, { method, headers, body: JSON.stringify(body) })
    const columns = [{ name: 'time', type: 'DateTime' }]
    expect((await ask('PUT', '', { columns, plan: { flush_interval_ms: 60_000 } })).status).toBe(201)
    expect((await ask('POST', '/events', [{ time: '2026-01-01T12:00:00Z' }])).status).toBe(202)
    // Whoever opens it waits for another who opens it.
    execFileSync('mkfifo', [`${fileNameOf(join(folder, 'quarantine'), 'default/default/clicks')}.ndjson`])
    const hanging = ask('POST', '/events', [{ when: 1 }]).then(
      ({ status }) => status,
      () => 'dropped',
    )
    const others = await ask('POST', '/events', [{ time: '2026-01-01T12:00:01Z' }])
    expect(others.status).toBe(202)
    const sinceMs = performance.now()
    child.kill('SIGTERM')
    expect(await hanging).toBe('dropped')
    await ended
    const tookMs = performance.now() - sinceMs
    expect(tookMs).toBeLessThan(15_000) // of a grace of 5 s, and an engine to end
    expect(child.signalCode).toBe('SIGKILL') // an exit would wait for the disk
    expect(said).toMatch(/ warn not closed in time what="batches on their way to the disk" ms=\d+\n/)
    expect(said).toContain(' info gateway closed\n')
    expect(said).not.toContain('rows wait in the spool') // all others were written
    expect(existsSync(join(folder, 'lock'))).toBe(true) // of a process that is gone
  } finally {
    child.kill('SIGKILL')
    await ended
  }
})
