import { useEffect, useRef } from 'react'
import { PublicPage } from '../../public/public-page.tsx'
import { ModeForm } from './mode-form.tsx'
import type { SignInMode } from './sign-in-mode.ts'
import type { SignInQuery } from './sign-in-query.ts'
import { useSignInMode } from './use-sign-in-mode.ts'

const TITLES: Readonly<Record<SignInMode, string>> = {
  'log-in': 'Log In',
  'forgot-password': 'Forgot your password?',
  'reset-sent': 'Check your email',
  'company-name': 'Company sign-in',
}

const INTROS: Readonly<Record<SignInMode, string>> = {
  'log-in': 'See your invoices and usage, and pay what is due.',
  'forgot-password': 'We will send a link that lets you choose a new one.',
  'reset-sent': '',
  'company-name': 'Sign in with your company account.',
}

const CONTINUE_INTRO = 'Sign in to continue where you left off.'

interface SignInPageProps {
  readonly query: SignInQuery
  /** The error of a failed sign-in by code. */
  readonly initialError: string | null
}

/** `/login`: the form of the mode in the address' fragment. */
export const SignInPage = ({ query, initialError }: SignInPageProps) => {
  const mode = useSignInMode(query.error === null ? 'log-in' : 'company-name')
  const heading = useHeadingFocus(mode)
  return (
    <PublicPage title={TITLES[mode]} intro={mode === 'log-in' && query.hasReturnPath ? CONTINUE_INTRO : INTROS[mode]} headingRef={heading}>
      <ModeForm mode={mode} query={query} initialError={initialError} />
    </PublicPage>
  )
}

/** Moves the focus to the heading when the mode changes, so that screen readers announce it. */
const useHeadingFocus = (mode: SignInMode) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const lastMode = useRef(mode)
  useEffect(() => {
    if (lastMode.current !== mode) heading.current?.focus()
    lastMode.current = mode
  }, [mode])
  return heading
}
