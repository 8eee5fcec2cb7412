import { parentPort } from 'node:worker_threads'
import { type PlayTask, playTask } from '@sluice/simulator'

// One of the processes' threads that play: a task comes in, what it came to goes out.
parentPort?.on('message', async (task: PlayTask) => {
  try {
    parentPort?.postMessage({ played: await playTask(task) })
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) })
  }
})
