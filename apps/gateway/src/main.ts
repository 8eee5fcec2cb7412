import { randomBytes } from 'node:crypto'
import { type Command, CommanderError } from 'commander'
import { newToken } from './auth/new-token.js'
import { createCommand, type Flags, type TokenFlags } from './command.js'
import { loadConfig } from './config/load-config.js'
import { printedConfig } from './config/print-config.js'
import { asGiven } from './config/setting-fields.js'
import { ConfigError } from './config-error.js'
import { checkOptions, type GatewayOptions } from './gateway-options.js'
import { textLogger } from './logger.js'
import { EngineStartError } from './nodes/engine-start-error.js'
import { withoutAccessLog } from './server/access-log.js'
import { type Gateway, startGateway } from './start-gateway.js'

const FAILED = 1
const BAD_INPUT = 2
const NO_ENGINE = 3

async function main(): Promise<void> {
  const command = createCommand({ start, token: makeToken }).exitOverride()
  for (const it of command.commands) it.exitOverride()
  await command.parseAsync()
}

async function start(command: Command): Promise<void> {
  const loaded = await loadConfig(command, process.env)
  const { flags, options, fresh, file } = loaded
  try {
    if (flags.printConfig) {
      process.stdout.write(printedConfig(command, loaded, checkOptions(options)))
      return
    }
    await serve(flags, options, fresh)
  } catch (error) {
    throw error instanceof ConfigError ? asGiven(error, command, file) : error
  }
}

async function serve(flags: Flags, options: GatewayOptions, fresh: string | undefined): Promise<void> {
  const all = textLogger(
    (line) => process.stderr.write(`${line}\n`),
    () => new Date(),
  )
  const logger = flags.quiet ? withoutAccessLog(all) : all
  const gateway = await startGateway({ ...options, logger })
  closeOnSignal(gateway)
  console.log(`sluice-gateway answers on ${gateway.url}`)
  if (flags.console !== undefined) console.log(`Its console, for a browser: ${gateway.url}/`)
  if (fresh !== undefined) console.log(`Token, made for this run and shown only here: ${fresh}`)
}

function makeToken({ name, tenant, scope: scopes, plan, json }: TokenFlags): void {
  const whose = { name, ...(plan && { plan }), ...(tenant && { tenant }), ...(scopes && { scopes }) }
  const made = newToken(whose, randomBytes(24))
  if (json) {
    console.log(JSON.stringify(made))
    return
  }
  console.log(`Token, shown only here: ${made.secret}`)
  console.log(`Its entry for the list "tokens" of the file of tokens:\n${JSON.stringify(made.entry)}`)
}

/** One press of Ctrl-C may come twice: from the terminal, and forwarded by npm. */
const SAME_REQUEST_MS = 1000

/**
 * The first signal closes with grace, a later one ends at once: the engine's process follows by itself. An exit waits for
 * what a disk that hangs was asked for, which may be for ever: then the process is killed.
 */
function closeOnSignal(gateway: Gateway): void {
  let askedMs: number | undefined
  const onSignal = () => {
    if (askedMs === undefined)
      gateway.close().then(() => (gateway.hangs() ? process.kill(process.pid, 'SIGKILL') : process.exit(0)), fail)
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

/** Who reads what is printed, or the log, may have left: that is no reason to end. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

main().catch(fail)
