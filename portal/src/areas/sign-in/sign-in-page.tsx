import { useEffect, useRef } from 'react'
import { DoorPage } from '../../public/public-page.tsx'
import { ModeForm } from './mode-form.tsx'
import type { Mode } from './sign-in-mode.ts'
import type { SignInQuery } from './sign-in-query.ts'
import { useMode } from './use-sign-in-mode.ts'

const TITLES: Readonly<Record<Mode, string>> = {
  'log-in': 'Log In',
  'forgot-password': 'Forgot your password?',
  'reset-sent': 'Check your email',
  'company-name': 'Company sign-in',
}

const LEADS: Readonly<Record<Mode, string>> = {
  'log-in': 'See your invoices and usage, and pay what is due.',
  'forgot-password': 'We will send a link that lets you choose a new one.',
  'reset-sent': '',
  'company-name': 'Sign in with the account that you have at your company.',
}

const COME_BACK = 'Sign in to go on to where you were.'

interface SignInPageProps {
  readonly query: SignInQuery
  /** Why a sign-in elsewhere failed. */
  readonly told: string | null
}

/** The sign-in page: the form of the mode that the address names (portal.md §2, Login). */
export const SignInPage = ({ query, told }: SignInPageProps) => {
  const mode = useMode(query.error === null ? 'log-in' : 'company-name')
  const heading = useHeadingFocus(mode)
  return (
    <DoorPage title={TITLES[mode]} lead={mode === 'log-in' && query.comesBack ? COME_BACK : LEADS[mode]} heading={heading}>
      <ModeForm mode={mode} query={query} told={told} />
    </DoorPage>
  )
}

/** Moves the focus to the heading when the mode changes, so that a screen reader says where one is now. */
const useHeadingFocus = (mode: Mode) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const last = useRef(mode)
  useEffect(() => {
    if (last.current !== mode) heading.current?.focus()
    last.current = mode
  }, [mode])
  return heading
}
