export { duration } from '@sluice/core/words'
