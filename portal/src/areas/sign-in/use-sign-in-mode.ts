import { useSyncExternalStore } from 'react'
import { type Mode, modeOf } from './sign-in-mode.ts'

const onMove = (moved: () => void): (() => void) => {
  addEventListener('hashchange', moved)
  return () => removeEventListener('hashchange', moved)
}

/** The mode that the address names, and `first` while it names none. */
export const useMode = (first: Mode): Mode => useSyncExternalStore(onMove, () => modeOf(location.hash, first))

/** Goes to a mode; Back comes back from it. */
export const openMode = (mode: Mode): void => {
  location.hash = mode
}
