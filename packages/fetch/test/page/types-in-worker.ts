// Is only checked, for a worker, whose types know of no Document: see tsconfig.worker.json.
import { createPageFetch, type PageFetch } from '@sluice/fetch/page'

export const fetch: PageFetch = createPageFetch({ page: self })
