// Events on disk before they are acknowledged. For Node alone.
export type { Claim, ClaimedRows, KeptClaim } from './spool/claim.js'
export type { Fault, FaultPoint } from './spool/files.js'
export type { SpoolBacklog } from './spool/kept-records.js'
export type { SpoolFindings } from './spool/look.js'
export { SpoolFullError } from './spool/room.js'
export { Spool, type SpooledEvents, type SpooledPart, type SpoolOptions } from './spool/spool.js'
