import { Command } from 'commander'
import type { World } from '../world.js'

/** What `sluice generate` was told. */
export interface GenerateOptions {
  readonly output: string
  readonly tags?: readonly string[]
  readonly check?: true
  readonly typesOnly?: true
  readonly force?: true
}

/** `a,b\,c` → `a` and `b,c`. */
const namesOf = (list: string, before: readonly string[] = []): string[] => [
  ...before,
  ...list.split(/(?<!\\),/).flatMap((name) => name.replaceAll('\\,', ',').trim() || []),
]

export function generateCommand(program: Command, world: World, done: (exitCode: number) => void): Command {
  return new Command('generate')
    .copyInheritedSettings(program)
    .summary('generate a typed client that backs off from an OpenAPI document')
    .description(
      'Generates TypeScript from an OpenAPI 3.0 or 3.1 document: types, an SDK, and the retries that the document asks for. The same document gives the same bytes.',
    )
    .argument('<document>', 'a file, an http(s) URL, or - for stdin; JSON or YAML')
    .requiredOption('-o, --output <folder>', 'where the files go; made where there is none')
    .option(
      '--tags <names>',
      'only operations that carry one of these tags: a,b; a comma in a tag as \\,; can be given again',
      namesOf,
    )
    .option('--types-only', 'types and a fetch that backs off, for openapi-fetch; no SDK')
    .option('--check', 'write nothing; exit 1 and show a diff where the folder is stale')
    .option('--force', 'write into a folder that holds other files, and replace those of the same name')
    .addHelpText('after', HELP)
    .action(async (document: string, options: GenerateOptions) => {
      const { generate } = await import('./generate.js')
      done(await generate(world, document, options))
    })
}

const HELP = `
The folder keeps a list of what was generated, sluice-generate.json. A file that is not on it is never replaced or
deleted, and a folder with files but no list is refused; --force lifts both, and deletes nothing either.

What could not be carried over, such as a retry setting of another extension, is told on stderr and in the README.

Exit codes:
  0    generated, or fresh (--check)
  1    stale (--check), or a generator failed on the document
  2    wrong usage: the document cannot be read or is broken, a tag is not in it, the folder is not ours
       to write, or cannot be written

Examples:
  sluice generate openapi.yaml -o src/api
  sluice generate https://api.example.com/openapi.json -o src/api --tags orders,customers
  sluice generate openapi.yaml -o src/api --check`
