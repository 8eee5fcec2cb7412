import type { RetryPolicy } from '../policy.js'
import { awsJson } from './aws-json.js'
import { background } from './background.js'
import { disabled } from './disabled.js'
import { github } from './github.js'
import { interactive } from './interactive.js'
import { openai } from './openai.js'
import { shopify } from './shopify.js'
import { stripe } from './stripe.js'

/** The presets by the names that tables, documents and command lines use. Holds them all: import single ones in a page. */
export const presets: Readonly<Record<string, RetryPolicy>> = {
  ...{ interactive, background, disabled, github, stripe, openai, shopify },
  'aws-json': awsJson,
}
