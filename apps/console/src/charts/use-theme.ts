import { useSyncExternalStore } from 'react'

const dark = matchMedia('(prefers-color-scheme: dark)')

const subscribe = (listener: () => void): (() => void) => {
  dark.addEventListener('change', listener)
  return () => dark.removeEventListener('change', listener)
}

/** Which theme is on; a canvas has to be drawn anew when it changes. */
export const useTheme = (): 'dark' | 'light' => useSyncExternalStore(subscribe, () => (dark.matches ? 'dark' : 'light'))
