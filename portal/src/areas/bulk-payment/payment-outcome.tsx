import type { PaymentSummary } from '@counterfoil/contract/kit/payments/payment-summary'
import { useAccount } from '../../shell/account/account.tsx'
import { invoiceLabels } from '../../shell/account/invoice-labels.ts'
import { backText } from '../../payments/checkout/back-link.tsx'
import { PaymentDone } from '../../payments/checkout/payment-done.tsx'
import { DownloadReceipt } from '../../payments/invoices/download-receipt.tsx'
import { Page } from '../../shell/page.tsx'
import { invoicesPath } from '../../shell/navigation/sections.tsx'
import { Button } from '../../ui/button/button.tsx'
import { LinkButton } from '../../ui/button/link-button.tsx'

interface PaymentOutcomeProps {
  readonly title: string
  readonly tone: 'good' | 'bad' | 'pending'
  /** One line each; empty ones are skipped. */
  readonly texts: readonly string[]
  /** What was paid; null where it is not known or did not succeed. */
  readonly payment?: PaymentSummary | null
  /** Starts another attempt. */
  readonly onRetry?: (() => void) | undefined
}

/** The result of a payment, with its receipt and the way back to the invoices. */
export const PaymentOutcome = ({ title, tone, texts, payment = null, onRetry }: PaymentOutcomeProps) => {
  const { branding, settings } = useAccount()
  return (
    <Page title={title}>
      <PaymentDone tone={tone} texts={texts} payment={payment}>
        {onRetry && <Button onPress={onRetry}>Try again</Button>}
        <LinkButton kind={onRetry ? 'quiet' : 'primary'} href={invoicesPath(branding)}>
          {backText(invoiceLabels(settings).plural)}
        </LinkButton>
        {payment?.hasReceipt && <DownloadReceipt id={payment.id} kind="quiet" />}
      </PaymentDone>
    </Page>
  )
}
