import { cacheFolder } from '@sluice/openapi'
import { expect, test } from 'vitest'

test.each([
  [{ XDG_CACHE_HOME: '/x', HOME: '/h' }, '/x/sluice'],
  [{ XDG_CACHE_HOME: 'relative', HOME: '/h' }, '/h/.cache/sluice'],
  [{ HOME: '/h', LOCALAPPDATA: '/l' }, '/h/.cache/sluice'],
  [{ LOCALAPPDATA: '/l' }, '/l/sluice'],
  [{}, undefined],
])('%j', (env, folder) => expect(cacheFolder(env)).toBe(folder))
