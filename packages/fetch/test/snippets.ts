import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript'

/** A program in a page, and what the page says it prints. */
export interface Snippet {
  /** Of its first fence, from 1. */
  line: number
  /** Where it runs: in Node, or in a page. */
  tag: 'ts' | 'tsx'
  code: string
  /** One each; `prints` is null where the page does not say. */
  runs: { scenario: string; prints: string | null }[]
}

/** What a `text` block is without a word of its own, and what a program without one meets. */
export const DEFAULT_SCENARIO = 'recovers'

/** Programs that would not be run, because their blocks are tagged in another way. */
const OTHER_SPELLINGS = /^(typescript|mts|cts|js|mjs|cjs|javascript)$/
const FENCE = /^( *)(`{3,})(\S*) *(.*)$/

/**
 * Finds the programs in a page and what they print. The convention is told at the top of docs.test.ts.
 * @throws Error with page and line, for a page without programs and for blocks that nobody would run
 */
export function snippetsOf(markdown: string, page: string): Snippet[] {
  const lines = markdown.split('\n')
  const snippets: Snippet[] = []
  let current: Snippet | undefined
  for (let i = 0; i < lines.length; i++) {
    if (/^#{1,6} /.test(lines[i] ?? '')) current = undefined
    const [, indent = '', fence, tag = '', word = ''] = FENCE.exec(lines[i] ?? '') ?? []
    if (fence === undefined) continue
    const line = i + 1
    const body: string[] = []
    while (lines[++i]?.trim() !== fence) {
      if (i >= lines.length) throw new Error(`${page}:${line}: this block is never closed`)
      body.push((lines[i] ?? '').slice(indent.length))
    }
    if (OTHER_SPELLINGS.test(tag))
      throw new Error(`${page}:${line}: tag this block \`ts\`, or it is not run; got \`${tag}\``)
    if (tag === 'ts' || tag === 'tsx') {
      current = { line, tag, code: body.join('\n'), runs: [] }
      snippets.push(current)
    }
    if (tag === 'text') current?.runs.push({ scenario: word || DEFAULT_SCENARIO, prints: body.join('\n') })
  }
  if (snippets.length === 0) throw new Error(`${page}: no \`ts\` block to run`)
  for (const { runs } of snippets) if (runs.length === 0) runs.push({ scenario: DEFAULT_SCENARIO, prints: null })
  return snippets
}

/** What a page says, as a pattern for the whole output: `…` stands for what differs from run to run, within a line. */
export const patternOf = (prints: string): RegExp =>
  new RegExp(`^${prints.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.*')}$`)

/** Inside this package, so that the programs' imports resolve as its own do. */
const FOLDER = fileURLToPath(new URL('../.report/', import.meta.url))

/**
 * Runs a program in a process of its own, with nothing in its environment but `API_URL`.
 *
 * @param apiUrl the service it is to talk to; shown as https://api.example.com in what is returned
 * @returns what it wrote to stdout, without the last line break
 * @throws Error with its stderr, where it ended with another code than 0 or not within ten seconds
 */
export async function run({ code }: Pick<Snippet, 'code'>, apiUrl: string): Promise<string> {
  const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022, verbatimModuleSyntax: true }
  mkdirSync(FOLDER, { recursive: true })
  const folder = mkdtempSync(join(FOLDER, 'snippet-'))
  try {
    const file = join(folder, 'snippet.mjs')
    writeFileSync(file, transpileModule(code, { compilerOptions }).outputText)
    const child = spawn(process.execPath, [file], { env: { API_URL: apiUrl }, timeout: 10_000 })
    const written = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        written[stream] += text
      })
    const ended = await new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
      child.on('error', reject).on('close', (exitCode, signal) => resolve(exitCode ?? signal))
    })
    if (ended !== 0) throw new Error(`the program ended with ${ended}:\n${written.stderr}`)
    return written.stdout.replaceAll(apiUrl, 'https://api.example.com').replace(/\n$/, '')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
