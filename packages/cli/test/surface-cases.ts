import {
  type Scripted,
  type SurfaceCall,
  type SurfaceCase,
  scriptSurface,
  surfaceTable,
} from '@sluice/conformance/surfaces'
import { VirtualClock } from '@sluice/core/testing'

export type { SurfaceCase }

const { policy, cases } = surfaceTable()

export const surfaceCases: readonly SurfaceCase[] = cases

/** @param call the row's own */
export const scripted = (call: SurfaceCall): Scripted<VirtualClock> => scriptSurface(call, policy, new VirtualClock())
