import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** The demo as `npm start` runs it, in a process group of its own, as in a terminal. */
export class RunningDemo {
  stdout = ''
  stderr = ''
  readonly child: ChildProcess
  /** The exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>

  constructor(args: readonly string[], temp: string, file: string = main) {
    this.child = spawn(process.execPath, [file, ...args], {
      env: { ...process.env, TMPDIR: temp },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    this.child.stdout?.on('data', (chunk) => {
      this.stdout += chunk
    })
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += chunk
    })
    this.ended = once(this.child, 'close').then(([code]) => code)
  }

  async printed(text: string): Promise<void> {
    await until(`"${text}" is printed; it was:\n${this.stdout}${this.stderr}`, () => this.stdout.includes(text))
  }

  /** As Ctrl-C does: to every process of the group. */
  signal(signal: NodeJS.Signals): void {
    process.kill(-this.groupId, signal)
  }

  /** Whether any process of the group is left, the engine's included. */
  get leftBehind(): boolean {
    try {
      process.kill(-this.groupId, 0)
      return true
    } catch {
      return false
    }
  }

  /** For the end of a test, however it went. */
  kill(): void {
    if (this.leftBehind) this.signal('SIGKILL')
  }

  private get groupId(): number {
    if (this.child.pid === undefined) throw new Error('The demo could not be started.')
    return this.child.pid
  }
}

/** Asks again and again until the answer is yes; fails after 15 s. */
export async function until(what: string, yes: () => boolean): Promise<void> {
  const endMs = performance.now() + 15_000
  while (!yes()) {
    if (performance.now() > endMs) throw new Error(`Waited 15 s in vain until ${what}.`)
    await sleep(20)
  }
}
