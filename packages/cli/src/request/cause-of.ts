export { causeOf, oneLine } from '@sluice/core/words'
