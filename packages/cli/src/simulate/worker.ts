import { parentPort } from 'node:worker_threads'
import { type PlayTask, playTask } from '@sluice/simulator'

// One of the processes' threads that play: a task comes in, what it came to goes out. Calls are refused and time out by the
// hundred thousand, and nobody reads where in the code they were: a stack trace for each takes a tenth of the time.
Error.stackTraceLimit = 0
parentPort?.on('message', async (task: PlayTask) => {
  try {
    parentPort?.postMessage({ played: await playTask(task) })
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) })
  }
})
