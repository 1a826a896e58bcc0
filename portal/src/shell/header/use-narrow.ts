import { useSyncExternalStore } from 'react'

const NARROW = '(max-width: 767.98px)'

/** Is the window as narrow as a phone? The header then folds into a burger menu (design: under 768 px). */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches)

const subscribe = (changed: () => void): (() => void) => {
  const media = matchMedia(NARROW)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}
