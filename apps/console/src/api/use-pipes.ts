import type { PipeList } from '@sluice/client'
import { useEffect, useState } from 'react'
import type { Answer } from './ask.js'
import type { GatewayApi } from './gateway-api.js'

/**
 * What the gateway can be asked; null: not known yet.
 * @param reconnections asked again with each: the gateway may be another one by then, or was not there before
 */
export function usePipes(api: GatewayApi, reconnections: number): Answer<PipeList> | null {
  const [pipes, setPipes] = useState<Answer<PipeList> | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    let there = true
    void api.listPipes().then((listed) => {
      if (!there || listed.kind === 'aborted') return
      setPipes((before) => (listed.kind === 'failed' && before?.kind === 'data' ? before : listed))
    })
    return () => {
      there = false
    }
  }, [api, reconnections])
  return pipes
}
