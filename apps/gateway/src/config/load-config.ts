import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { newToken } from '../auth/new-token.js'
import { type CheckedTokens, checkTokens } from '../auth/token-options.js'
import type { Flags } from '../command.js'
import { ConfigError } from '../config-error.js'
import type { GatewayOptions, ServerOptions } from '../gateway-options.js'
import { readLatencyBackoff } from '../limit/latency-backoff.js'
import { defaultPlan } from '../quota/plan.js'
import { MASK } from './print-config.js'
import { readConfigFile } from './read-file.js'
import { readTokensFile, withDefault } from './read-tokens.js'
import { settingsOf, settle } from './settings.js'

/** What holds, of all that was said anywhere. */
export interface LoadedConfig {
  readonly flags: Flags
  readonly options: GatewayOptions
  /** The secret of a token that was made up because there was none. */
  readonly fresh: string | undefined
  /** The name of the file of settings, where there is one. */
  readonly file: string | undefined
}

const REMEDY = 'settings by the names of the flags, such as spool: /var/lib/sluice'

/**
 * Command line before environment before file before defaults.
 * @throws ConfigError
 */
export async function loadConfig(command: Command, environment: NodeJS.ProcessEnv): Promise<LoadedConfig> {
  const name = command.opts<Flags>().config ?? (environment.SLUICE_CONFIG || undefined)
  const file = name === undefined ? undefined : { name, ...(await contentOf(name, command)) }
  settle(command, environment, file)
  const flags = command.opts<Flags>()
  const { tokens, plans, fresh } = await tokensOf(flags, file)
  const latencyControl = readLatencyBackoff(environment.SLUICE_LATENCY_BACKOFF)
  const options: GatewayOptions = {
    ...{ tokens, plans: withDefault(plans, flags.rate, flags.burst), host: flags.host, port: flags.port },
    ...{ readTimeoutMs: flags.readTimeout, writeTimeoutMs: flags.writeTimeout, isolation: flags.isolation },
    ...{
      maxBacklogBytes: flags.maxBacklog,
      maxBacklogAgeMs: flags.maxBacklogAge,
      fsyncIntervalMs: flags.fsyncInterval,
      maxDataSources: flags.maxDataSources,
      maxPipes: flags.maxPipes,
    },
    nodes: file?.nodes ?? [],
    limit: limitOf(flags, latencyControl),
    ...(flags.spool !== undefined && { spoolDir: flags.spool }),
    ...(flags.embedded !== undefined && { embedded: flags.embedded }),
    ...(flags.record !== undefined && { record: flags.record }),
    ...(flags.console !== undefined && { consoleDir: flags.console }),
    ...(flags.dataDir !== undefined && { dataDir: flags.dataDir }),
    ...(flags.corsOrigin !== undefined && { corsOrigins: flags.corsOrigin }),
  }
  return { flags, options, fresh, file: name }
}

interface FileContent {
  /** By the names of options. */
  readonly members: Readonly<Record<string, unknown>>
  /** Not checked: that is done with all other options. */
  readonly nodes: readonly ServerOptions[]
  readonly tokens: unknown
  readonly plans: unknown
}

async function contentOf(name: string, command: Command): Promise<FileContent> {
  const content = (await readConfigFile(name, REMEDY)) ?? {}
  if (typeof content !== 'object' || Array.isArray(content))
    throw new ConfigError(name, '(the file)', `has no settings; write ${REMEDY}`)
  const { nodes, plans, ...members } = content as Record<string, unknown> // YAML has text for keys
  const known = [...settingsOf(command).map((it) => it.attributeName()), 'nodes', 'plans']
  for (const member of Object.keys(members))
    if (!known.includes(member)) throw new ConfigError(name, member, `is no setting; there are ${known.join(', ')}`)
  const { tokens, ...others } = members
  refuseMasks({ nodes, tokens }, name)
  const inFile = typeof tokens === 'string' ? { ...others, tokens } : others
  return {
    members: inFile,
    nodes: (nodes ?? []) as ServerOptions[],
    tokens: typeof tokens === 'string' ? undefined : (tokens ?? undefined),
    plans: plans ?? undefined,
  }
}

/** What `--print-config` prints has these in the place of secrets: a node would be asked with a password that is none. */
function refuseMasks(lists: { readonly nodes: unknown; readonly tokens: unknown }, file: string): void {
  for (const [list, entries] of Object.entries(lists))
    for (const [i, entry] of (Array.isArray(entries) ? entries : []).entries())
      for (const [field, value] of Object.entries(Object(entry)))
        if (value === MASK)
          throw new ConfigError(
            file,
            `${list}.${i}.${field}`,
            'is masked, as it was printed; put in what it stands for',
          )
}

/** A file of tokens before those that are in the file of settings; one that is made up where there are none. */
async function tokensOf(
  flags: Flags,
  file: (FileContent & { readonly name: string }) | undefined,
): Promise<CheckedTokens & { readonly fresh: string | undefined }> {
  if (flags.tokens !== undefined) return { ...(await readTokensFile(flags.tokens)), fresh: undefined }
  const plans = file?.plans === undefined ? {} : { plans: file.plans }
  if (file?.tokens !== undefined)
    return { ...checkTokens({ ...plans, tokens: file.tokens }, file.name), fresh: undefined }
  // Who starts a gateway at a terminal is its administrator.
  const scopes = flags.spool === undefined ? {} : { scopes: ['admin', 'operator'] as const }
  const { secret, entry } = newToken({ name: 'default', ...scopes }, randomBytes(24))
  const checked = checkTokens({ ...plans, tokens: [entry] }, file?.name ?? 'options')
  return { tokens: checked.tokens, plans: { default: defaultPlan, ...checked.plans }, fresh: secret }
}

function limitOf(flags: Flags, latencyControl: boolean): NonNullable<GatewayOptions['limit']> {
  return {
    latencyControl,
    maxConcurrent: flags.maxConcurrent,
    controller: flags.controller,
    overdraftMs: flags.overdraft,
    shedding: flags.shedding,
    windowMs: flags.window,
    expectedP90Ms: flags.expectedP90,
    minSamples: flags.minSamples,
  }
}
