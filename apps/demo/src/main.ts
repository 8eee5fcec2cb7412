import { open } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { systemClock } from '@sluice/core'
import { EngineStartError } from '@sluice/gateway'
import { CommanderError } from 'commander'
import { type Stage, showBurst, showIngest, showSurge } from './acts.js'
import type { Client } from './clients/client.js'
import { naive } from './clients/naive.js'
import { plain } from './clients/plain.js'
import { sluice, sluiceBackground } from './clients/sluice.js'
import { colourFor } from './colour.js'
import { createCommand, type Flags } from './command.js'
import { Ending } from './ending.js'
import { nextSteps } from './next-steps.js'
import { Progress } from './progress.js'
import { INGEST, QUOTA, type Service, startService } from './service.js'

const FAILED = 1
const BAD_FLAGS = 2
const NO_ENGINE = 3

/** The token for whoever reads the last lines. */
const VISITOR = 'you'

async function main(): Promise<number> {
  const command = createCommand().exitOverride()
  const flags = command.parse().opts<Flags>()
  if (flags.record !== undefined && !plays(flags, 'surge')) command.error('error: --record goes with the surge')
  if (flags.compare && flags.act !== 'surge') command.error('error: --compare goes with --act surge')
  if (flags.record !== undefined) await checkWritable(flags.record, (problem) => command.error(problem))
  const clients = [plain, naive, sluice, ...(flags.background ? [sluiceBackground] : [])]
  const ending = new Ending(systemClock)
  ending.listenTo(process)
  const progress = new Progress(process.stderr, process.env)
  progress.show('Starting the gateway and its engine…')
  const names = [...clients.map(({ id }) => id), INGEST, VISITOR]
  let service: Service | undefined
  try {
    service = await startService(flags.port, names, availableParallelism())
    progress.clear()
    return await show(service, clients, { flags, ending, progress })
  } catch (error) {
    // Ctrl-C reaches the engine's process as well: one that was still starting ended by it, which is no failure.
    if (ending.signal.aborted) return ending.exitCode
    throw error
  } finally {
    progress.clear()
    await service?.close()
  }
}

/** Told before the acts, not half a minute into them. */
async function checkWritable(file: string, refuse: (problem: string) => never): Promise<void> {
  try {
    await (await open(file, 'a')).close()
  } catch (error) {
    // fs rejects with errno exceptions only, hence the cast
    refuse(
      `error: --record ${file}: cannot be written (${(error as NodeJS.ErrnoException).code}); name a file that can`,
    )
  }
}

const plays = ({ act }: Flags, name: Flags['act']): boolean => act === 'all' || act === name

interface Surroundings {
  readonly flags: Flags
  readonly ending: Ending
  readonly progress: Progress
}

/**
 * @returns the exit code
 * @throws the ending's reason when it is asked for before the end of the acts
 */
async function show(
  service: Service,
  clients: readonly Client[],
  { flags, ending, progress }: Surroundings,
): Promise<number> {
  const { signal } = ending
  signal.throwIfAborted()
  if (flags.port !== 0 && flags.port !== service.port) {
    console.error(`Port ${flags.port} is in use by another process; the gateway listens on ${service.port} instead.`)
  }
  const stage: Stage = { progress, signal, paint: colourFor(process.stdout, process.env) }
  const acts = [
    ['burst', () => showBurst(service, clients, flags.calls, stage)],
    ['surge', () => showSurge(availableParallelism(), { record: flags.record, compare: flags.compare }, stage)],
    ['ingest', () => showIngest(service, stage)],
  ] as const
  let good = true
  for (const [index, [, play]] of acts.filter(([name]) => plays(flags, name)).entries()) {
    if (index > 0) console.log(`\n${'─'.repeat(78)}\n`)
    good = (await play()) && good
  }
  if (!good) return FAILED
  if (flags.once) return 0
  console.log(`\n${nextSteps(service.url, service.secretOf(VISITOR), QUOTA, plays(flags, 'ingest'))}`)
  await ending.asked
  return 0
}

function codeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : BAD_FLAGS // commander has printed its line
  console.error(error instanceof Error ? error.message : String(error))
  return error instanceof EngineStartError && error.code === 'ENGINE_MISSING' ? NO_ENGINE : FAILED
}

/** Who reads what is printed may have left: that is no reason to leave what was started to itself. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

process.exitCode = await main().catch(codeOf)
