import { Worker } from 'node:worker_threads'
import type { Played, Player, PlayTask } from '@sluice/simulator'

interface Job {
  readonly task: PlayTask
  readonly resolve: (played: Played) => void
  readonly reject: (reason: unknown) => void
}

/** Those who wait in a queue live for seconds of the world: in a young generation of twice the room most of them die there. */
const LIMITS = { maxYoungGenerationSizeMb: 96 }

/** Plays on several cores at once. What is asked for first begins first; answers come as they are done. */
export class PlayPool {
  readonly #size: number
  readonly #signal: AbortSignal
  readonly #onPlayed: () => void
  readonly #waiting: Job[] = []
  readonly #idle: Worker[] = []
  readonly #workers = new Map<Worker, Job | null>()

  /**
   * @param size threads at most; one is started when there is something for it to do
   * @param signal ends all that is played at once: whoever waits is told its reason
   * @param onPlayed called after each play
   */
  constructor(size: number, signal: AbortSignal, onPlayed: () => void) {
    this.#size = size
    this.#signal = signal
    this.#onPlayed = onPlayed
    signal.addEventListener('abort', this.#abort)
  }

  readonly play: Player = (task) =>
    new Promise((resolve, reject) => {
      if (this.#signal.aborted) return reject(this.#signal.reason)
      this.#waiting.push({ task, resolve, reject })
      this.#pump()
    })

  /** Lets go of the threads; nobody may wait for a play any more. */
  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#abort)
    this.#waiting.length = 0 // after an error there may be plays that nobody waits for
    await Promise.all([...this.#workers.keys()].map((worker) => worker.terminate()))
  }

  readonly #abort = (): void => {
    const { reason } = this.#signal
    for (const job of [...this.#workers.values(), ...this.#waiting.splice(0)]) job?.reject(reason)
    for (const worker of this.#workers.keys()) void worker.terminate()
  }

  #pump(): void {
    if (this.#waiting.length === 0) return
    const worker = this.#idle.pop() ?? (this.#workers.size < this.#size ? this.#start() : undefined)
    const job = worker && this.#waiting.shift()
    if (!worker || !job) return
    this.#workers.set(worker, job)
    worker.postMessage(job.task)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./simulate-worker.js', import.meta.url), {
      execArgv: [],
      resourceLimits: LIMITS,
    })
    const fail = (reason: unknown): void => {
      this.#workers.get(worker)?.reject(reason)
      this.#workers.delete(worker)
      this.#pump()
    }
    worker.on('message', ({ played, error }: { played?: Played; error?: string }) => {
      const job = this.#workers.get(worker)
      this.#workers.set(worker, null)
      this.#idle.push(worker)
      if (played) job?.resolve(played)
      else job?.reject(new Error(error))
      this.#onPlayed()
      this.#pump()
    })
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('a thread that played ended before it was done')))
    return worker
  }
}
