export type { End, EndFailure, EndKind } from '@sluice/core/words'
