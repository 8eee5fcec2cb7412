import type { PipeList } from '@sluice/client'
import { useEffect, useState } from 'react'
import type { Answer } from './ask.js'
import type { GatewayApi } from './gateway-api.js'

/** What the gateway can be asked; null: not known yet. */
export function usePipes(api: GatewayApi): Answer<PipeList> | null {
  const [pipes, setPipes] = useState<Answer<PipeList> | null>(null)
  useEffect(() => {
    let there = true
    void api.listPipes().then((listed) => there && listed.kind !== 'aborted' && setPipes(listed))
    return () => {
      there = false
    }
  }, [api])
  return pipes
}
