import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '../running-gateway.js'

const bin = fileURLToPath(new URL('../../bin/sluice-gateway.js', import.meta.url))

/** The command as it is run, with its own memory and its own connections. */
export interface GatewayProcess {
  readonly url: string
  readonly port: number
  /** Megabytes that it holds now, and at most so far. */
  rssMb(): { readonly now: number; readonly most: number }
  /** Everything that it wrote: what it said, and all its files, by their names. */
  written(): ReadonlyMap<string, Buffer>
  close(): Promise<void>
}

/** @param tokens the list of a file of tokens */
export async function startProcess(tokens: readonly object[]): Promise<GatewayProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-attacked-'))
  const file = join(folder, 'tokens.json')
  writeFileSync(file, JSON.stringify({ tokens, plans: { default: { ratePerSecond: 1e5, burst: 1e5 } } }))
  const spool = join(folder, 'spool')
  const args = [bin, '--port', '0', '--tokens', file, '--spool', spool, '--read-timeout', '60000']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk))
  const ended = once(child, 'close')
  const text = () => Buffer.concat(said).toString()
  await until('the gateway answers', () => child.exitCode !== null || /answers on \S+\n/.test(text()))
  const url = /answers on (\S+)/.exec(text())?.[1]
  if (url === undefined) throw new Error(`The gateway did not start: ${text()}`)
  const field = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
  return {
    ...{ url, port: Number(new URL(url).port) },
    rssMb: () => ({ now: field('VmRSS'), most: field('VmHWM') }),
    written: () => new Map([['(what it said)', Buffer.concat(said)], ...filesIn(spool)]),
    close: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

function filesIn(folder: string): (readonly [string, Buffer])[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const path = join(folder, name)
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false // merges of the engine remove theirs
    return isFile ? [[name, readFileSync(path)] as const] : []
  })
}
