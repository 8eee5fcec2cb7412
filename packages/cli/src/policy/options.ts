import type { Command } from 'commander'

/** What commands that need a policy are told about it. Times are ms. */
export interface PolicyOptions {
  readonly preset?: string
  readonly policy?: string
  readonly maxAttempts?: number
  readonly timeout?: number
  readonly deadline?: number
}

/** Adds the options that name a policy as a whole. */
export const withPolicy = (command: Command): Command =>
  command
    .option(
      '--preset <name>',
      'interactive (default), background (waits out throttles for up to 30s), disabled, github, stripe, openai, aws-json, shopify',
    )
    .option(
      '--policy <json|file>',
      `fields over the preset, as in the tables: '{"max_attempts": 6, "total_cap_ms": 60000}', or a file of that`,
    )
