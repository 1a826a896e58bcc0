import type { ReactNode } from 'react'
import { useAccount } from '../../shell/account.tsx'
import { DownloadReceipt } from '../../payments/download-receipt.tsx'
import { Page } from '../../shell/page.tsx'
import { invoicesPath } from '../../shell/sections.tsx'
import { Button } from '../../ui/button/button.tsx'
import { LinkButton } from '../../ui/button/link-button.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import styles from './bulk-payment.module.css'

interface PaymentOutcomeProps {
  readonly title: string
  readonly tone: 'good' | 'bad' | 'wait'
  /** In lines; empty ones are left out. */
  readonly texts: readonly string[]
  /** A way to pay once more. */
  readonly onRetry?: (() => void) | undefined
  /** The payment whose receipt can be fetched. */
  readonly receiptId?: string | null | undefined
  /** What the way back is called: the invoices' own name. */
  readonly children: ReactNode
}

/** What became of a payment, in words, and the way back to the invoices. */
export const PaymentOutcome = ({ title, tone, texts, onRetry, receiptId, children }: PaymentOutcomeProps) => {
  const { branding } = useAccount()
  return (
    <Page title={title}>
      <div className={`${styles.outcome} ${styles[tone]}`} role={tone === 'bad' ? 'alert' : 'status'}>
        {tone === 'wait' && <Spinner size="small" />}
        <div>
          {texts
            .filter((text) => text !== '')
            .map((text) => (
              <p key={text}>{text}</p>
            ))}
        </div>
      </div>
      <div className={styles.ways}>
        {onRetry && <Button onPress={onRetry}>Try again</Button>}
        <LinkButton kind={onRetry ? 'quiet' : 'primary'} href={invoicesPath(branding)}>
          {children}
        </LinkButton>
        {receiptId && <DownloadReceipt id={receiptId} kind="quiet" />}
      </div>
    </Page>
  )
}
