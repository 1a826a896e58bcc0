import { useSyncExternalStore } from 'react'
import { type SignInMode, modeOfFragment } from './sign-in-mode.ts'

const subscribeToFragment = (onChange: () => void): (() => void) => {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

/** The mode in the address' fragment, else `fallback`. */
export const useSignInMode = (fallback: SignInMode): SignInMode =>
  useSyncExternalStore(subscribeToFragment, () => modeOfFragment(location.hash, fallback))

/** Opens a mode with a history entry, so that Back works. */
export const goToMode = (mode: SignInMode): void => {
  location.hash = mode
}
