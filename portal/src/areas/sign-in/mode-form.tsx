import styles from '../../public/public.module.css'
import { CompanyForm } from './company-form.tsx'
import { ForgotForm } from './forgot-password-form.tsx'
import { LogInForm } from './log-in-form.tsx'
import type { Mode } from './sign-in-mode.ts'
import { ResetSent } from './reset-email-sent.tsx'
import type { SignInQuery } from './sign-in-query.ts'
import { openMode } from './use-sign-in-mode.ts'

interface ModeFormProps {
  readonly mode: Mode
  readonly query: SignInQuery
  /** Why a sign-in elsewhere failed. */
  readonly told: string | null
}

/** The form of a mode; while a one-time code is being exchanged, what is going on. */
export const ModeForm = ({ mode, query, told }: ModeFormProps) => {
  if (query.code !== null) {
    return (
      <output className={styles.wait}>
        <span className={styles.spinner} aria-hidden="true" />
        Signing you in…
      </output>
    )
  }
  switch (mode) {
    case 'forgot-password':
      return <ForgotForm onSent={() => openMode('reset-sent')} />
    case 'reset-sent':
      return <ResetSent onContinue={() => openMode('log-in')} />
    case 'company-name':
      return <CompanyForm {...query} />
    default:
      return <LogInForm target={query.target} told={told} />
  }
}
