import { useSyncExternalStore } from 'react'
import { type SignInMode, modeOfFragment } from './sign-in-mode.ts'

/** Calls `onChange` each time that the address' fragment changes; returns a function that stops it. */
const subscribeToFragment = (onChange: () => void): (() => void) => {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

/** The mode in the address' fragment, else `fallback`. */
export const useSignInMode = (fallback: SignInMode): SignInMode =>
  useSyncExternalStore(subscribeToFragment, () => modeOfFragment(location.hash, fallback))

/** Writes a mode into the address' fragment, with a history entry, so that Back works. */
export const goToMode = (mode: SignInMode): void => {
  location.hash = mode
}
