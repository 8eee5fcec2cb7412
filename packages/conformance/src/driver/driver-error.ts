/** A driver that crashed, hung, or broke the protocol. The message names the case, what was seen, and its last words. */
export class DriverError extends Error {
  override readonly name = 'DriverError'
  /** The case that was being run, or the oldest of several; null where it was none. */
  readonly caseId: string | null
  /** The end of what it wrote to stderr; '' where it wrote nothing. */
  readonly stderr: string

  constructor(seen: string, { caseId = null, stderr = '' }: { caseId?: string | null; stderr?: string } = {}) {
    const words = stderr.trimEnd()
    const tail = words === '' ? '' : `\nthe end of its stderr:\n${words.replace(/^/gm, '  ')}`
    super(`${caseId === null ? '' : `${caseId}: `}${seen}${tail}`)
    this.caseId = caseId
    this.stderr = stderr
  }
}
