import { run } from './run.js'

// The only place that touches the process.
const { argv, env, stdin, stdout, stderr } = process
const controller = new AbortController()
// Node's own warnings are for who writes a program; stderr is for who runs it.
process.removeAllListeners('warning')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (controller.signal.aborted) process.exit(1) // asked twice: whatever still runs, let it go
    controller.abort(new Error(`ended by ${signal}`))
  })

// An open keep-alive socket or stdin must not keep us.
process.exit(await run({ argv: argv.slice(2), env, stdin, stdout, stderr, signal: controller.signal }))
