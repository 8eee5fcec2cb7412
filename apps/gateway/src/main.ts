import { CommanderError } from 'commander'
import { createCommand, type Flags, readTokens } from './command.js'
import { ConfigError } from './config-error.js'
import { readLatencyBackoff } from './limit/latency-backoff.js'
import { silentLogger, textLogger } from './logger.js'
import { EngineStartError } from './nodes/engine-start-error.js'
import { type Gateway, startGateway } from './start-gateway.js'

const FAILED = 1
const BAD_INPUT = 2
const NO_ENGINE = 3

async function main(): Promise<void> {
  const command = createCommand().exitOverride().parse()
  const flags = command.opts<Flags>()
  const file = flags.tokens ?? (process.env.SLUICE_TOKENS_FILE || undefined)
  const latencyControl = readLatencyBackoff(process.env.SLUICE_LATENCY_BACKOFF)
  const { fresh, ...tokens } = await readTokens(flags, file)
  const logger = flags.quiet
    ? silentLogger
    : textLogger(
        (line) => process.stderr.write(`${line}\n`),
        () => new Date(),
      )
  const gateway = await startGateway({
    ...tokens,
    host: flags.host,
    port: flags.port,
    readTimeoutMs: flags.readTimeout,
    logger,
    limit: {
      latencyControl,
      maxConcurrent: flags.maxConcurrent,
      controller: flags.controller,
      overdraftMs: flags.overdraft,
      shedding: flags.shedding,
      windowMs: flags.window,
      expectedP90Ms: flags.expectedP90,
      minSamples: flags.minSamples,
    },
    ...(flags.record !== undefined && { record: flags.record }),
    ...(flags.console !== undefined && { consoleDir: flags.console }),
    ...(flags.dataDir !== undefined && { dataDir: flags.dataDir }),
    ...(flags.corsOrigin !== undefined && { corsOrigins: flags.corsOrigin }),
  })
  closeOnSignal(gateway)
  console.log(`sluice-gateway answers on ${gateway.url}`)
  if (flags.console !== undefined) console.log(`Its console, for a browser: ${gateway.url}/`)
  if (fresh !== undefined) console.log(`Token, made for this run and shown only here: ${fresh}`)
}

/** One press of Ctrl-C may come twice: from the terminal, and forwarded by npm. */
const SAME_REQUEST_MS = 1000

/** The first signal closes with grace, a later one ends at once: the engine's process follows by itself. */
function closeOnSignal(gateway: Gateway): void {
  let askedMs: number | undefined
  const onSignal = () => {
    if (askedMs === undefined) gateway.close().then(() => process.exit(0), fail)
    else if (performance.now() - askedMs > SAME_REQUEST_MS) process.exit(FAILED)
    askedMs ??= performance.now()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}

function fail(error: unknown): void {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : BAD_INPUT // commander has printed its line
    return
  }
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = FAILED
  if (error instanceof ConfigError) process.exitCode = BAD_INPUT
  if (error instanceof EngineStartError && error.code === 'ENGINE_MISSING') process.exitCode = NO_ENGINE
}

main().catch(fail)
