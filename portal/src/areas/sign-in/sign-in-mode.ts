/** The four faces of the sign-in page (portal.md §2, Login). Each has an address of its own, so that Back works. */
export type SignInMode = 'log-in' | 'forgot-password' | 'reset-sent' | 'company-name'

/** The modes that people can reach. One that is not named here has no link, and its address shows mode 1. */
export const OPEN_MODES: readonly SignInMode[] = ['log-in', 'forgot-password', 'reset-sent', 'company-name']

/** The mode that an address' fragment names; `first` where it names none that is open. */
export const modeOfFragment = (fragment: string, fallback: SignInMode): SignInMode =>
  [...OPEN_MODES].find((mode) => fragment === `#${mode}`) ?? (OPEN_MODES.includes(fallback) ? fallback : 'log-in')
