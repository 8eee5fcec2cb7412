import { run } from './run.js'

// The only place that touches the process.
const { argv, env, stdin, stdout, stderr } = process
const controller = new AbortController()
// Node's own warnings are for who writes a program; stderr is for who runs it.
process.removeAllListeners('warning')
let exitCode130: number | undefined

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)
  process.on(signal, () => {
    if (controller.signal.aborted) process.exit(code) // asked twice: whatever still runs, let it go
    exitCode130 = code
    controller.abort(new Error(`interrupted by ${signal}`))
  })

const exitCode = await run({
  argv: argv.slice(2),
  env,
  stdin,
  stdout,
  stderr,
  isTTY: { stdout: stdout.isTTY === true, stderr: stderr.isTTY === true },
  signal: controller.signal,
})
// All output was taken: every write was waited for. An open keep-alive socket or stdin must not keep us.
process.exit(exitCode === 130 ? (exitCode130 ?? exitCode) : exitCode)
