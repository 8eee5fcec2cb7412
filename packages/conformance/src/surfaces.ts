export { type Scripted, scriptSurface } from './surface/script-surface.js'
export {
  type SurfaceCall,
  type SurfaceCase,
  type SurfaceOutcome,
  surfaceTable,
  type Thrown,
} from './surface/surface-case.js'
