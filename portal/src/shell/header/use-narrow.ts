import { useSyncExternalStore } from 'react'

const NARROW = '(max-width: 767.98px)'

/** Is the window as narrow as a phone? The header then folds into a burger menu (design: under 768 px). */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches)

const subscribe = (onChange: () => void): (() => void) => {
  const media = matchMedia(NARROW)
  media.addEventListener('change', onChange)
  return () => media.removeEventListener('change', onChange)
}
