import { spawn } from 'node:child_process'
import host from 'node:process'

/** What starts a driver. No shell: `command` is a program, and each of `args` reaches it as it is. */
export interface DriverCommand {
  command: string
  args?: readonly string[]
  /** Default: the folder this process runs in. */
  cwd?: string
  /** Default: this process's own. */
  env?: Readonly<Record<string, string | undefined>>
}

/** How a process ended; `problem` where it could not be started at all. */
export interface ChildExit {
  code: number | null
  signal: string | null
  problem: string | null
}

export interface ChildEvents {
  /** What it wrote to stdout. */
  output(text: string): void
  /** What it wrote to stderr. */
  errors(text: string): void
  /** Once, after all output. */
  exit(exit: ChildExit): void
}

export interface DriverChild {
  write(line: string): void
  endInput(): void
  /** Signals the process and all it has started; nothing where it has ended. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void
}

export type SpawnDriver = (command: DriverCommand, events: ChildEvents) => DriverChild

/**
 * Starts a process in a process group of its own, so that what it starts ends with it. A signal that is meant for this
 * process does not reach it: whoever handles SIGINT aborts the run. Where this process exits, the group is killed.
 */
export const spawnDriver: SpawnDriver = ({ command, args = [], cwd, env }, events) => {
  const grouped = host.platform !== 'win32'
  const child = spawn(command, [...args], {
    stdio: 'pipe',
    shell: false,
    detached: grouped,
    windowsHide: true,
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
  })
  let ended = false
  const signal = (name: 'SIGTERM' | 'SIGKILL'): void => {
    if (child.pid === undefined) return
    try {
      if (grouped) host.kill(-child.pid, name)
      else child.kill(name)
    } catch {
      // It has ended: there is nothing left to signal.
    }
  }
  const killAll = (): void => signal('SIGKILL')
  const end = (exit: ChildExit): void => {
    if (ended) return
    ended = true
    host.off('exit', killAll)
    events.exit(exit)
  }
  host.on('exit', killAll)
  child.on('error', (error) => {
    if (child.pid === undefined) end({ code: null, signal: null, problem: error.message })
  })
  // What it started and left behind would hold its output open for ever.
  child.on('exit', killAll)
  child.on('close', (code, by) => end({ code, signal: by, problem: null }))
  child.stdin.on('error', () => undefined) // it has closed its input: its end, or its silence, tells more
  child.stdout.setEncoding('utf8').on('data', (text: string) => events.output(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => events.errors(text))
  return {
    write(line) {
      if (child.stdin.writable) child.stdin.write(`${line}\n`)
    },
    endInput: () => child.stdin.end(),
    signal: (name) => {
      if (!ended) signal(name)
    },
  }
}
