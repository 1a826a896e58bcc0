import { Button } from '../../ui/button/button.tsx'
import { SupportText } from '../../ui/feedback/support-text.tsx'
import styles from '../../public/public.module.css'

const SENT_TEXT =
  'Password reset email will be sent to the associated email address. If you not received this email please check your username and try again, or contact support'

/** Confirms that a reset email is on its way, whether or not the address is known (AUTH-07). */
export const ResetEmailSent = ({ onContinue }: { readonly onContinue: () => void }) => (
  <div className={styles.form}>
    <p>
      <SupportText>{SENT_TEXT}</SupportText>
    </p>
    <Button size="large" onPress={onContinue}>
      Continue
    </Button>
  </div>
)
