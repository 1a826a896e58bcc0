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
  readonly tone: 'good' | 'bad' | 'pending'
  /** One line each; empty ones are skipped. */
  readonly texts: readonly string[]
  /** Starts another attempt. */
  readonly onRetry?: (() => void) | undefined
  /** The payment whose receipt can be downloaded. */
  readonly receiptId?: string | null | undefined
  /** The label of the link to the invoices. */
  readonly children: ReactNode
}

/** The result of a payment, with a link to the invoices. */
export const PaymentOutcome = ({ title, tone, texts, onRetry, receiptId, children }: PaymentOutcomeProps) => {
  const { branding } = useAccount()
  return (
    <Page title={title}>
      <div className={`${styles.outcome} ${styles[tone]}`} role={tone === 'bad' ? 'alert' : 'status'}>
        {tone === 'pending' && <Spinner size="small" />}
        <div>
          {texts
            .filter((text) => text !== '')
            .map((text) => (
              <p key={text}>{text}</p>
            ))}
        </div>
      </div>
      <div className={styles.actions}>
        {onRetry && <Button onPress={onRetry}>Try again</Button>}
        <LinkButton kind={onRetry ? 'quiet' : 'primary'} href={invoicesPath(branding)}>
          {children}
        </LinkButton>
        {receiptId && <DownloadReceipt id={receiptId} kind="quiet" />}
      </div>
    </Page>
  )
}
