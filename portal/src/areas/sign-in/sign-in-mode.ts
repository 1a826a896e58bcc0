/** The modes of the sign-in page. Each has its own fragment in the address, so that Back works. */
export type SignInMode = 'log-in' | 'forgot-password' | 'reset-sent' | 'company-name'

/** The modes with a link. Any other fragment shows the log-in form. */
export const OPEN_MODES: readonly SignInMode[] = ['log-in', 'forgot-password', 'reset-sent', 'company-name']

/** The mode that a fragment names, else `fallback`. */
export const modeOfFragment = (fragment: string, fallback: SignInMode): SignInMode =>
  [...OPEN_MODES].find((mode) => fragment === `#${mode}`) ?? (OPEN_MODES.includes(fallback) ? fallback : 'log-in')
