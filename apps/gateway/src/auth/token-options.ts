import { z } from 'zod'
import { ConfigError } from '../config-error.js'
import { defaultPlan, type Plan } from '../quota/plan.js'
import { kindOf, strict } from '../schema-words.js'
import { SCOPE, type Scope } from './scopes.js'

/** A token as it is handed in: its value, or only the SHA-256 of it. */
export interface TokenOptions {
  /** What logs and answers call it: letters, digits, `.`, `_`, `-`. */
  readonly name: string
  /** The secret itself, 16 characters or more. Hashed at once and forgotten. */
  readonly token?: string
  /** Instead of the secret: its SHA-256 in hex, with or without the prefix `sha256:`. */
  readonly hash?: string
  /** A name in `plans`. Default `default`. */
  readonly plan?: string
  /** Whose it is: letters, digits, `.`, `_`, `-`. A tenant sees only what is its own. Default `default`. */
  readonly tenant?: string
  /** What it may do: `admin`, `operator`, or `owner:NAME`, `write:NAME`, `read:NAME` with a name or `*`. Default `read:*`. */
  readonly scopes?: readonly Scope[]
}

/** Plans by name. `default` is there without being given. */
export type Plans = Readonly<Record<string, Plan>>

const name = z.string('is not text').regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, ".", "_" or "-"')

const planSchema = strict({
  ratePerSecond: z.number('must be a number above 0').positive('must be above 0').max(1e6, 'must be at most 1000000'),
  burst: z
    .int('must be a whole number from 1')
    .min(1, 'must be a whole number from 1')
    .max(1e6, 'must be at most 1000000'),
})

const tokenSchema = strict({
  name,
  token: z
    .string('is not text')
    .regex(/^[A-Za-z0-9._~+/-]+=*$/, 'may hold only letters, digits and . _ ~ + / - (RFC 6750)')
    .min(16, 'is too short to be a secret: use 16 characters or more')
    .max(512, 'is longer than 512 characters')
    .optional(),
  hash: z
    .string('is not text')
    .regex(/^(sha256:)?[0-9a-fA-F]{64}$/, 'must be a SHA-256 in hex (64 digits)')
    .optional(),
  plan: name.optional(),
  tenant: name.optional(),
  scopes: z
    .array(
      z.custom<Scope>(
        (it) => typeof it === 'string' && SCOPE.test(it),
        'must be admin, operator, or owner:NAME, write:NAME or read:NAME with a name or *',
      ),
      'must be a list of scopes',
    )
    .optional(),
}).refine((it) => (it.token === undefined) !== (it.hash === undefined), 'needs one of "token" and "hash", not both')

const optionsSchema = strict({
  plans: z.record(name, planSchema, 'must be an object of plans by name').optional(),
  tokens: z
    .array(tokenSchema, { error: ({ input }) => `is ${kindOf(input)}; it must be a list of tokens: [{ name, token }]` })
    .min(1, 'is empty: at least one token is needed'),
})

/** Tokens and plans that have been checked. */
export interface CheckedTokens {
  readonly plans: Plans
  readonly tokens: readonly TokenOptions[]
}

/**
 * Checks tokens and plans, wherever they came from.
 * @param source what an error calls the origin: a file or `options`
 * @throws ConfigError that names the field and the remedy, never the value of a token
 */
export function checkTokens(input: unknown, source: string): CheckedTokens {
  const result = optionsSchema.safeParse(input)
  if (!result.success) {
    const { issues } = result.error
    // What is misspelt is missing as well; how it was spelt says why.
    const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
    throw new ConfigError(source, issue?.path.map(String).join('.') || '(all of it)', issue?.message ?? 'is not valid')
  }
  const plans: Plans = { default: defaultPlan, ...result.data.plans }
  const tokens = result.data.tokens.map(withoutAbsent)
  checkTogether(tokens, plans, source)
  return { plans, tokens }
}

/** zod writes an absent field as `string | undefined`; TokenOptions leaves it out. */
function withoutAbsent({ name, token, hash, plan, tenant, scopes }: z.infer<typeof tokenSchema>): TokenOptions {
  return {
    name,
    ...(token !== undefined && { token }),
    ...(hash !== undefined && { hash }),
    ...(plan !== undefined && { plan }),
    ...(tenant !== undefined && { tenant }),
    ...(scopes !== undefined && { scopes }),
  }
}

function checkTogether(tokens: readonly TokenOptions[], plans: Plans, source: string): void {
  const names = new Set<string>()
  tokens.forEach((token, index) => {
    const plan = token.plan ?? 'default'
    if (!Object.hasOwn(plans, plan)) {
      const known = Object.keys(plans).join(', ')
      throw new ConfigError(source, `tokens.${index}.plan`, `"${plan}" is not a plan; known are ${known}`)
    }
    if (names.has(token.name)) {
      throw new ConfigError(
        source,
        `tokens.${index}.name`,
        `"${token.name}" is there twice; give each token its own name`,
      )
    }
    names.add(token.name)
  })
}
