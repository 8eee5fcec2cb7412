import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'

/** Which cores a process, with all of its threads and what it starts from then on, may use: `0` or `1-3`. */
function pin(pid: number, cores: string): void {
  execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', cores, String(pid)], { stdio: 'ignore' })
}

const LAST = cpus().length - 1

/** The first core: for an engine that is to share it with nobody, as one on a machine of its own. */
export function giveFirstCore(pid: number): void {
  pin(pid, '0')
}

/** This process, and what it starts from then on, have all cores but the first. */
export function leaveFirstCore(): void {
  pin(process.pid, LAST > 1 ? `1-${LAST}` : String(LAST))
}

/** All of them again. */
export function takeAllCores(): void {
  pin(process.pid, `0-${LAST}`)
}
