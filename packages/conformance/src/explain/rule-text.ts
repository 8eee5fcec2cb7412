import { readFileSync } from 'node:fs'
import { tables } from '@sluice/spec'

/** The rules as @sluice/spec states them, by id: the sentence each begins with. */
export function ruleSentences(text: string): ReadonlyMap<string, string> {
  const sections = text.split(/^### (?=[A-Z]\d+$)/m).slice(1)
  return new Map(
    sections.flatMap((section) => {
      const [id = ''] = section.split('\n', 1)
      const sentence = /\*\*(.+?)\*\*/s.exec(section)?.[1]
      return sentence === undefined ? [] : [[id, sentence.replace(/\s+/g, ' ').replace(/`/g, '')] as const]
    }),
  )
}

/** The sentence of one rule in @sluice/spec; null where it cannot be read, or has no such rule. */
export function ruleSentence(rule: string): string | null {
  try {
    return ruleSentences(readFileSync(new URL('README.md', tables['retry-cases']), 'utf8')).get(rule) ?? null
  } catch {
    return null // a bundler may have left the text out: the case explains itself
  }
}
