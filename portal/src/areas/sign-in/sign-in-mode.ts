const SIGN_IN_MODES = ['log-in', 'forgot-password', 'reset-sent', 'company-name'] as const

/** The modes of the sign-in page. Each has its own fragment in the address, so that Back works. */
export type SignInMode = (typeof SIGN_IN_MODES)[number]

/** The mode that the address' fragment names, such as `#log-in`, else `fallback`. */
export const modeOfFragment = (fragment: string, fallback: SignInMode): SignInMode =>
  SIGN_IN_MODES.find((mode) => fragment === `#${mode}`) ?? fallback
