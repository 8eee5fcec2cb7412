import type { RetrySettings } from '../../model/retry-settings.js'
import type { Rule } from '../retry/plan.js'

/** What the README tells of. */
export interface ReadmeFacts {
  readonly title: string
  readonly version: string
  readonly openapi: string
  readonly operations: number
  /** Null: all of it. */
  readonly tags: readonly string[] | null
  /** Whether there is an SDK, or types alone. */
  readonly sdk: boolean
  readonly all: RetrySettings
  readonly rules: readonly Rule[]
  readonly notes: readonly string[]
}

/** Rows of the table of operations; a longer one is cut. */
const ROWS = 100

/** The README beside the generated code. */
export function writeReadme(facts: ReadmeFacts): string {
  const { title, version, openapi, operations, tags, sdk, rules, notes } = facts
  const part = tags === null ? '' : `, those tagged ${tags.map(cell).join(', ')}`
  return `# ${cell(title)} ${cell(version)}

Made by \`sluice generate\` from an OpenAPI ${cell(openapi)} document: ${operations} operation${operations === 1 ? '' : 's'}${part}. Do not edit
these files: the next run replaces them.

Needs \`@sluice/fetch\` as a dependency. Compiles under \`strict\`${
    sdk ? '; leave `exactOptionalPropertyTypes` and\n`isolatedDeclarations` off for these files' : ''
  }.

${sdk ? SDK : ''}${OPENAPI_FETCH}
## Retries

${settingsSentence(facts.all)}
${rules.length > 0 ? `\n${table(rules)}\n` : ''}
Streams of events (\`text/event-stream\`) are sent once: their reader connects again by itself.
${notes.length > 0 ? `\n## Notes\n\n${notes.map((note) => `- ${cell(note)}\n`).join('')}` : ''}
## Files

| file | |
|---|---|
${sdk ? FILES_OF_SDK : ''}| \`schema.gen.ts\` | types of paths, operations and components, by openapi-typescript |
| \`retry.gen.ts\`, \`retry/\` | what the document says of retries, and a fetch that does it |
| \`index.ts\` | all that is public |
| \`sluice-generate.json\` | the list of these files; only what is on it is ever deleted |
`
}

const SDK = `\`\`\`ts
import { client, retryOperations } from './index.js'

client.setConfig({ baseUrl: 'https://…', auth: () => token }) // every function of the SDK backs off, without more
retryOperations(client, { policy, onRetry }) // only to change how: takes what createFetch() of @sluice/fetch takes
\`\`\`

A client of your own: \`retryOperations(createClient({ baseUrl }))\`, and \`{ client }\` in a call's options.

`

const OPENAPI_FETCH = `With [openapi-fetch](https://openapi-ts.dev/openapi-fetch/):

\`\`\`ts
import createClient from 'openapi-fetch'
import { createOperationFetch, type paths } from './index.js'

const api = createClient<paths>({ baseUrl, fetch: createOperationFetch({ baseUrl }) })
\`\`\`
`

const FILES_OF_SDK = `| \`sdk.gen.ts\`, \`types.gen.ts\` | a function for each operation and its types, by @hey-api/openapi-ts |
| \`client.gen.ts\`, \`client/\`, \`core/\` | the client that they use |
`

const settingsSentence = ({ disabled, idempotent, preset, ...fields }: RetrySettings): string => {
  if (disabled) return 'The document disables retries: every operation is sent once, but for those listed here.'
  const settings = [
    `the ${preset ?? 'interactive'} preset of @sluice/fetch`,
    ...Object.entries(fields).map(([name, value]) => `\`${name}\` ${value}`),
    ...(idempotent ? ['every operation is idempotent'] : []),
  ]
  return `Every operation backs off: ${settings.join(', ')}.`
}

function table(rules: readonly Rule[]): string {
  const rows = rules.map(({ method, path, once, idempotent, preset, fields = {} }) => {
    const settings = [
      ...(once ? ['sent once'] : []),
      ...(idempotent === undefined ? [] : [idempotent ? 'idempotent' : 'not idempotent']),
      ...(preset === undefined ? [] : [`preset ${preset}`]),
      ...Object.entries(fields).map(([name, value]) => `${name} ${value}`),
    ]
    return `| ${method} ${cell(path)} | ${settings.join(', ') || 'like all'} |`
  })
  const more = rows.length > ROWS ? `\n\nand ${rows.length - ROWS} more in \`retry.gen.ts\`` : ''
  return `| operation | differs in |\n|---|---|\n${rows.slice(0, ROWS).join('\n')}${more}`
}

/** A text of the document on one line, with no meaning in Markdown. */
const cell = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|#]/g, '\\$&')
