import styles from '../../public/public.module.css'

/** Mode 3: what happens next, whether or not the address is known (portal.md §2, Login). */
export const ResetEmailSent = ({ onContinue }: { readonly onContinue: () => void }) => (
  <div className={styles.form}>
    <p>
      Password reset email will be sent to the associated email address. If you not received this email please check your username and try
      again, or contact support
    </p>
    <button type="button" className={styles.submit} onClick={onContinue}>
      Continue
    </button>
  </div>
)
