import { InsertError, type InsertFault } from '@sluice/ingest'
import { EngineError } from './engine-error.js'
import { NodeRefusalError } from './node-refusal-error.js'

/** The engine is short of something: quota, threads, simultaneous queries, memory, disk. */
const RESOURCES = [74, 75, 76, 201, 202, 241, 243, 290, 439]
/** It cannot serve anyone, or not us: read-only, rights and passwords, its replicas and their keeper. */
const NODE = [164, 192, 193, 194, 195, 242, 285, 286, 291, 497, 516, 999]
/**
 * It does not take these rows: how they are written, their types and names, their table, what a view makes of them; and
 * that their own table has too many parts, or would get too many with them (252), which is no shortage for anybody else.
 */
const SOURCE = [
  ...[6, 7, 8, 9, 10, 15, 16, 20, 26, 27, 33, 36, 38, 41, 42, 43, 44, 46, 47, 53, 60, 69, 70, 72, 73, 80, 81],
  ...[117, 130, 131, 153, 158, 179, 206, 252, 321, 349, 352, 395, 407, 467, 469, 636, 645],
]
const FAULTS: ReadonlyMap<number, InsertFault> = new Map([
  ...RESOURCES.map((code) => [code, 'resources'] as const),
  ...NODE.map((code) => [code, 'node'] as const),
  ...SOURCE.map((code) => [code, 'source'] as const),
])

/**
 * What a failed insert is told as. That none of its rows were written is asked, whatever the code: a view may fail after
 * its table was written.
 * @param isThere asks; what it rejects with leaves everything open
 * @returns an `InsertError` where it is certain; else `error` itself: nobody knows
 */
export async function insertFailure(error: unknown, isThere: () => Promise<boolean>): Promise<unknown> {
  const fault = faultOf(error)
  if (fault === undefined) return error
  const nobodyKnows = () => true
  if (await isThere().catch(nobodyKnows)) return error
  return new InsertError(fault, error instanceof Error ? error.message : String(error), { cause: error })
}

/** Whose fault an error of the engine is; undefined: it does not say, or says that it does not know (319, 394, 159). */
export function faultOf(error: unknown): InsertFault | undefined {
  if (error instanceof NodeRefusalError) return 'node'
  if (!(error instanceof EngineError)) return undefined
  if (/No space left on device/.test(error.message)) return 'resources'
  return error.clickhouseCode === undefined ? undefined : FAULTS.get(error.clickhouseCode)
}

/** What SQL is refused that would write: whoever wrote it can mend it. */
const READ_ONLY = 164
/** A right is missing, to a database or to something in it. */
const RIGHTS: ReadonlySet<unknown> = new Set([291, 497])

/**
 * Whether a statement failed for what only who runs the engine can mend.
 * @param own the database that a tenant's SQL may read: where it is refused any other, whoever wrote it can mend that.
 *   Without one it was a statement of the gateway's
 */
export function isForOperator(error: EngineError, own?: string): boolean {
  const { clickhouseCode, message } = error
  if (faultOf(error) !== 'node' || clickhouseCode === READ_ONLY) return false
  return own === undefined || !RIGHTS.has(clickhouseCode) || new RegExp(`\\b${own}\\b`).test(message)
}

/** The right that an engine says is missing, in its words: `CREATE TABLE ON s_acme__default.*`. */
export function missingRight({ clickhouseCode, message }: EngineError): string | undefined {
  if (!RIGHTS.has(clickhouseCode)) return undefined
  const [, grant] = /necessary to have (?:the )?(?:grants? )?(.+? ON \S+?)[.,]?(?:\s|$)/.exec(message) ?? []
  if (grant !== undefined) return grant
  const [, database] = /Access denied to database (\w+)/.exec(message) ?? []
  return database === undefined ? undefined : `the database ${database}`
}
