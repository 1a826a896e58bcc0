import { useSyncExternalStore } from 'react'

const NARROW = '(max-width: 767.98px)'

/** Is the window narrower than 768 px? The header then becomes a burger menu. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches)

const subscribe = (onChange: () => void): (() => void) => {
  const media = matchMedia(NARROW)
  media.addEventListener('change', onChange)
  return () => media.removeEventListener('change', onChange)
}
