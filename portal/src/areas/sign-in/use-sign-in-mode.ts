import { useSyncExternalStore } from 'react'
import { type SignInMode, modeOfFragment } from './sign-in-mode.ts'

const subscribeToFragment = (onChange: () => void): (() => void) => {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

/** The mode that the address names, and `first` while it names none. */
export const useSignInMode = (fallback: SignInMode): SignInMode =>
  useSyncExternalStore(subscribeToFragment, () => modeOfFragment(location.hash, fallback))

/** Goes to a mode; Back comes back from it. */
export const goToMode = (mode: SignInMode): void => {
  location.hash = mode
}
