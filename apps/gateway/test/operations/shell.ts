import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const GATEWAY = fileURLToPath(new URL('../../bin/sluice-gateway.js', import.meta.url))
const DEADLINE_MS = 90_000

/** One bash in a folder, as whoever follows a page has it: variables and background jobs are there for the next command. */
export class Shell {
  readonly #bash: ChildProcess
  #said = ''
  #heard: () => void = () => undefined
  #count = 0

  /** @param folder where it is, with `sluice-gateway` and `node` in its `bin` */
  constructor(folder: string) {
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    symlinkSync(process.execPath, join(bin, 'node'))
    // It ends with this shell, and that with this process, however they end.
    const gateway = `#!/bin/sh\nexec setpriv --pdeathsig KILL node '${GATEWAY}' "$@"\n`
    writeFileSync(join(bin, 'sluice-gateway'), gateway, { mode: 0o755 })
    const env = { PATH: `${bin}:${process.env.PATH ?? ''}`, HOME: folder }
    // In a group of its own, which close() ends.
    const args = ['--pdeathsig', 'KILL', 'bash', '--norc', '--noprofile']
    this.#bash = spawn('setpriv', args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    for (const stream of [this.#bash.stdout, this.#bash.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#said += text
        this.#heard()
      })
    this.#bash.stdin?.write('exec 2>&1\n')
  }

  /** @returns what it printed, and its exit code where that is not 0. @throws Error where it does not end */
  async run(command: string): Promise<string> {
    const mark = `--- end of command ${++this.#count}:`
    this.#said = ''
    this.#bash.stdin?.write(`${command}\nprintf '\\n${mark} %s ---\\n' "$?"\n`)
    const ended = new RegExp(`^([\\s\\S]*?)\\n${mark} (\\d+) ---\\n`)
    const endMs = performance.now() + DEADLINE_MS
    for (;;) {
      const [, printed, code] = ended.exec(this.#said) ?? []
      if (printed !== undefined) return `${printed.trimEnd()}${code === '0' ? '' : `\nexit code ${code}`}`.trim()
      const leftMs = endMs - performance.now()
      if (leftMs <= 0) throw new Error(`"${command}" does not end; so far it has printed: ${this.#said}`)
      await this.#more(leftMs)
    }
  }

  /** Ends it with everything that it has started. */
  async close(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#bash
    if (pid === undefined || exitCode !== null || signalCode !== null) return
    const gone = once(this.#bash, 'exit')
    process.kill(-pid, 'SIGKILL')
    await gone
  }

  #more(mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, mostMs)
      this.#heard = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
