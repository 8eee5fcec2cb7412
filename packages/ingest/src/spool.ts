// Events on disk before they are acknowledged. For Node alone.
export type { Claim, ClaimedRows, KeptClaim } from './spool/claim.js'
export type { SpoolDamage } from './spool/damage.js'
export type { Fault, FaultPoint } from './spool/files.js'
export type { SpoolBacklog } from './spool/kept-records.js'
export type { SpoolFindings } from './spool/look.js'
export { SpoolFullError } from './spool/room.js'
export { Spool, type SpooledEvents, type SpooledPart } from './spool/spool.js'
export type { SpoolOptions } from './spool/spool-options.js'
