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

/** What SQL of a tenant is refused that would write, or read what is another's: whoever wrote it can mend it. */
const FORBIDDEN: ReadonlySet<unknown> = new Set([164, 497])

/** Whether a query failed for what only who runs the engine can mend, whatever its SQL. */
export function isForOperator(error: EngineError): boolean {
  return faultOf(error) === 'node' && !FORBIDDEN.has(error.clickhouseCode)
}
