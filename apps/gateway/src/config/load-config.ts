import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { z } from 'zod'
import { newToken } from '../auth/new-token.js'
import { type CheckedTokens, checkTokens } from '../auth/token-options.js'
import type { Flags } from '../command.js'
import { ConfigError } from '../config-error.js'
import type { GatewayOptions, ServerOptions } from '../gateway-options.js'
import { readLatencyBackoff } from '../limit/latency-backoff.js'
import { defaultPlan } from '../quota/plan.js'
import { readConfigFile } from './read-file.js'
import { readTokensFile, withDefault } from './read-tokens.js'
import { settingsOf, settle } from './settings.js'

/** What holds, of all that was said anywhere. */
export interface LoadedConfig {
  readonly flags: Flags
  readonly options: GatewayOptions
  /** The secret of a token that was made up because there was none. */
  readonly fresh: string | undefined
}

const REMEDY = 'settings by the names of the flags, such as spool: /var/lib/sluice'

const nodesSchema = z.array(
  z.strictObject({
    name: z.string('is not text'),
    url: z.string('is not text'),
    user: z.string('is not text').optional(),
    password: z.string('is not text').optional(),
    replicated: z.strictObject({ path: z.string('is not text'), replica: z.string('is not text') }).optional(),
  }),
  'must be a list of nodes: { name, url, user?, password?, replicated? }',
)

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
    nodes: file?.nodes ?? [],
    limit: limitOf(flags, latencyControl),
    ...(flags.spool !== undefined && { spoolDir: flags.spool }),
    ...(flags.embedded !== undefined && { embedded: flags.embedded }),
    ...(flags.record !== undefined && { record: flags.record }),
    ...(flags.console !== undefined && { consoleDir: flags.console }),
    ...(flags.dataDir !== undefined && { dataDir: flags.dataDir }),
    ...(flags.corsOrigin !== undefined && { corsOrigins: flags.corsOrigin }),
  }
  return { flags, options, fresh }
}

interface FileContent {
  /** By the names of options. */
  readonly members: Readonly<Record<string, unknown>>
  readonly nodes: readonly ServerOptions[]
  readonly tokens: unknown
  readonly plans: unknown
}

async function contentOf(name: string, command: Command): Promise<FileContent> {
  const content = (await readConfigFile(name, REMEDY)) ?? {}
  if (typeof content !== 'object' || Array.isArray(content))
    throw new ConfigError(name, '(the file)', `has no settings; write ${REMEDY}`)
  const { nodes = [], plans, ...members } = content as Record<string, unknown> // YAML has text for keys
  const known = [...settingsOf(command).map((it) => it.attributeName()), 'nodes', 'plans']
  for (const member of Object.keys(members))
    if (!known.includes(member)) throw new ConfigError(name, member, `is no setting; there are ${known.join(', ')}`)
  const result = nodesSchema.safeParse(nodes)
  if (!result.success) {
    const issue = result.error.issues[0]
    throw new ConfigError(name, ['nodes', ...(issue?.path ?? [])].map(String).join('.'), issue?.message ?? 'is wrong')
  }
  const { tokens, ...others } = members
  const inFile = typeof tokens === 'string' ? { ...others, tokens } : others
  return {
    members: inFile,
    nodes: result.data as ServerOptions[],
    tokens: Array.isArray(tokens) ? tokens : undefined,
    plans,
  }
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
  const scopes = flags.spool === undefined ? {} : { scopes: ['admin'] as const }
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
