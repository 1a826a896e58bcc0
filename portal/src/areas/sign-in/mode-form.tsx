import styles from '../../public/public.module.css'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { OrganizationForm } from './organization-form.tsx'
import { ForgotPasswordForm } from './forgot-password-form.tsx'
import { LogInForm } from './log-in-form.tsx'
import type { SignInMode } from './sign-in-mode.ts'
import { ResetEmailSent } from './reset-email-sent.tsx'
import type { SignInQuery } from './sign-in-query.ts'
import { goToMode } from './use-sign-in-mode.ts'

interface ModeFormProps {
  readonly mode: SignInMode
  readonly query: SignInQuery
  /** The error of a failed sign-in by code. */
  readonly initialError: string | null
}

/** The form of a mode, or a spinner while a one-time code is exchanged. */
export const ModeForm = ({ mode, query, initialError }: ModeFormProps) => {
  if (query.code !== null) {
    return (
      <output className={styles.wait}>
        <Spinner size="small" />
        Signing you in…
      </output>
    )
  }
  switch (mode) {
    case 'forgot-password':
      return <ForgotPasswordForm onSent={() => goToMode('reset-sent')} />
    case 'reset-sent':
      return <ResetEmailSent onContinue={() => goToMode('log-in')} />
    case 'company-name':
      return <OrganizationForm {...query} />
    default:
      return <LogInForm target={query.target} initialError={initialError} />
  }
}
