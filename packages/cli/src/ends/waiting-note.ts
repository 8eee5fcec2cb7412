export { waitingNote } from '@sluice/core/words'
