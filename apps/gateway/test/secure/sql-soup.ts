import fc, { type Arbitrary } from 'fast-check'
import { expect } from 'vitest'
import { pipeSchema } from '../../src/pipes/pipe-definition.js'
import { reachFault, type Surroundings } from '../../src/pipes/reach.js'
import { readSql, sqlOf } from '../../src/pipes/sql-tokens.js'

/** Many more as a soak: SLUICE_SQL_RUNS=20000 npx vitest run test/secure/sql-engine.test.ts */
export const SQL_RUNS: number = Number(process.env.SLUICE_SQL_RUNS ?? 1000)
const SEED = Number(process.env.SLUICE_SQL_SEED ?? 20_261_130)

export const SECRET: string = 'THE SECRET'

/** What may begin to hide something from one reader and not from another. */
const OPENERS = [
  ...[
    '',
    '/*',
    '/* /*',
    '/*/',
    '/**/',
    '/* -- ',
    '//',
    '/ /',
    '///',
    '--',
    '-- ',
    '---',
    '- -',
    '−−',
    '–',
    '#',
    '# ',
    '#!',
    '#--',
  ],
  ...[
    '$$',
    '$a$',
    '$1$',
    '\\',
    '\\\\',
    "\\'",
    '{',
    "x'",
    "b'",
    "N'",
    "'\\",
    "'\\'",
    "''",
    '""',
    '``',
    '"\\"',
    '`\\`',
    '1e',
    '0x',
    '1.',
  ],
  ...[
    '\0',
    '\u00a0',
    '\u200b',
    '\u2028',
    '\ufeff',
    '\u3000',
    '\u0085',
    '\f',
    '\v',
    '?',
    '::',
    '@',
    '@@',
    '!',
    '~',
    '^',
    '&',
    '|',
    ';',
  ],
]
const COMMENTS = ['/*', '/* /*', '/**/ /*', '/*/', '//', '--', '#', '#!', '# ', '−−', '$$', '\\', '']
const QUOTES = [
  '',
  "'",
  '"',
  '`',
  '‘',
  '’',
  '“',
  '”',
  "''",
  "'''",
  '""',
  '$$',
  "\\'",
  "'\\",
  '\\x27',
  '\uff07',
  '´',
  "e'",
]
const CLOSERS = [
  ...[
    '',
    '\n',
    '\r',
    '\r\n',
    '\u2028',
    '\u0085',
    '\v',
    '*/',
    '*/ */',
    '/*/',
    '*/*',
    '-- */',
    '// */',
    '\n*/',
    '*/\n',
    '\0',
    ';',
    '}',
  ],
]
/** What would read another's table, where an engine takes it for SQL. */
const REACHES = [
  ' FROM s_globex__default.secrets ',
  ', (SELECT any(text) FROM s_globex__default.secrets) AS y ',
  ' UNION ALL SELECT text FROM s_globex__default.secrets ',
  ' FROM s_nobody__default.secrets ',
  ', (SELECT any(a) FROM s_nobody__default.nothing) AS y ',
]
const PLAIN = [
  ...[
    ' ',
    '1',
    ', 2',
    ', x',
    "'a'",
    '`a`',
    '"a"',
    '/* a */',
    '-- a\n',
    '.5',
    ' AS z',
    '|| 1',
    '(',
    ')',
    '[1]',
    '.1',
    '+',
    '/',
    '*',
    '-',
  ],
  ...[
    '1e3',
    '0xff',
    '1.5',
    '1.',
    '1_000',
    "'\\x41\\''",
    "'a''b'",
    "'%'",
    "'--'",
    "'/*'",
    "'*/'",
    '"/*"',
    '"--"',
    '` `',
    'x.y',
    '\t',
    '\n',
  ],
]

/** SQL of which nobody knows by its looks what an engine makes of it. */
export function sqlSoup(): Arbitrary<string> {
  const of = (pieces: readonly string[]) => fc.constantFrom(...pieces)
  const any = fc.oneof(of(OPENERS), of(QUOTES), of(CLOSERS), of(PLAIN))
  const few = fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    fc.array(any, { maxLength: 3 }).map((it) => it.join('')),
  )
  const hide = fc.tuple(of(OPENERS), few, of(QUOTES), few, of(CLOSERS)).map((it) => it.join(''))
  const column = of(['text', "'a click' AS text", '1 AS x', "'a' AS text"])
  const hidden = fc
    .tuple(column, hide, of(REACHES), hide)
    .map(([what, before, reach, after]) => `SELECT ${what} ${before}${reach}${after}`)
  // As an attack is built: one reader takes a quote for the inside of a comment, and the other for the beginning of a text,
  // which ends at the same quote behind what is to be hidden.
  const attack = fc
    .record({
      ...{
        what: column,
        open: of(COMMENTS),
        back: of(['', '', '*/ ||', '*/', '\n||', '||']),
        quote: of(["'", "'", '"', '`']),
      },
      ...{
        close: fc.oneof(of(['\n', '*/', '']), of(CLOSERS)),
        reach: of(REACHES),
        end: of(['', '', '*/', '\n', ' AS q']),
      },
      tail: of(['-- ', '--', '/* ', '// ', '# ', '|| ', '']),
    })
    .map(
      (it) => `SELECT ${it.what} ${it.open} ${it.back} ${it.quote}${it.close}${it.reach}${it.tail}${it.quote}${it.end}`,
    )
  const more = fc.oneof(any, of(REACHES), hide)
  const soup = fc
    .tuple(column, fc.array(more, { maxLength: 8 }))
    .map(([what, pieces]) => `SELECT ${what} ${pieces.join('')}`)
  return fc.oneof({ weight: 3, arbitrary: attack }, { weight: 2, arbitrary: hidden }, { weight: 1, arbitrary: soup })
}

/** Rows as text. Rejects with what the engine says. */
export type AskEngine = (sql: string) => Promise<string>

/**
 * Has an engine, on which nothing but the words keeps a tenant from another, run what is accepted as a pipe: as it is sent to
 * it, and as it was written. Neither may read or look for another's table, and both must be the same: else the words were
 * read otherwise than by the engine.
 * @returns how many were accepted, and how many of these the engine ran
 */
export async function holdWordsTo(
  ask: AskEngine,
  surroundings: Surroundings,
): Promise<{ accepted: number; ran: number }> {
  const met = { accepted: 0, ran: 0 }
  const isRead = fc.asyncProperty(sqlSoup(), async (sql) => {
    if (!pipeSchema('soup').safeParse({ sql }).success) return
    const { tokens } = readSql(sql)
    if (reachFault(tokens, surroundings) !== undefined) return
    expect(readSql(sqlOf(tokens))).toEqual({ tokens })
    const [sent, written] = [await outcomeOf(ask, sqlOf(tokens)), await outcomeOf(ask, sql)]
    expect(sent).toEqual(written)
    expect(sent).not.toContain(SECRET)
    expect(sent).not.toMatch(/^Code: (60|81)$/) // no such table, no such database
    met.accepted += 1
    met.ran += sent.startsWith('Code') ? 0 : 1
  })
  await fc.assert(isRead, { numRuns: SQL_RUNS, seed: SEED })
  return met
}

async function outcomeOf(ask: AskEngine, sql: string): Promise<string> {
  try {
    return await ask(sql)
  } catch (error) {
    return /Code: \d+/.exec(String(error))?.[0] ?? String(error)
  }
}
