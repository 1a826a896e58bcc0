import type { PaymentSummary } from '@counterfoil/contract/kit/payments/payment-summary'
import type { LinkPayer } from '@counterfoil/contract/invoice-payment'
import { isAnySectionOpen } from '@counterfoil/contract/kit/sections'
import type { BrandSettings } from '@counterfoil/contract/brands'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { createQueryClient } from '../../api/query-client.ts'
import { storeCustomerId } from '../../api/session.ts'
import { BackLink, backText } from '../../payments/checkout/back-link.tsx'
import { PaymentDone } from '../../payments/checkout/payment-done.tsx'
import { DownloadReceipt } from '../../payments/invoices/download-receipt.tsx'
import { INVOICES_PATH } from '../../shell/navigation/paths.ts'
import { LinkButton } from '../../ui/button/link-button.tsx'
import { PayLayout } from './pay-layout.tsx'
import type { PayStatus } from './pay-status.ts'

interface WayBackProps {
  readonly brand: BrandSettings | null
  readonly payer: LinkPayer
  /** The invoice's customer, whom the app then shows. */
  readonly customerId: number
}

/** The link that leads a signed-in user back to the invoices. A press stores this invoice's customer as the one that the app shows. */
export const WayBack = ({ brand, payer, customerId }: WayBackProps) => (
  <BackLink href={invoicesPath(brand)} invoicesLabel={invoicesLabelOf(payer)} onPress={() => storeCustomerId(customerId)} />
)

/** The word of the payer's brand for invoices, in the plural; "Invoices" where that is blank. */
const invoicesLabelOf = ({ invoiceLabelPlural }: LinkPayer): string => invoiceLabelPlural.trim() || 'Invoices'

/** The URL path of the invoices, or `/` where the brand shows no invoices. */
const invoicesPath = (brand: BrandSettings | null): string =>
  brand === null || isAnySectionOpen(['invoices'], brand) ? INVOICES_PATH : '/'

interface SignedInDoneProps extends WayBackProps {
  readonly tone: 'good' | 'bad' | 'pending'
  readonly texts: readonly string[]
  readonly payment: PaymentSummary | null
}

/** What became of the payment, for a signed-in user: with the receipt and the way back. */
export const SignedInDone = ({ brand, payer, customerId, tone, texts, payment }: SignedInDoneProps) => {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <PaymentDone tone={tone} texts={texts} payment={payment}>
        <LinkButton href={invoicesPath(brand)} onPress={() => storeCustomerId(customerId)}>
          {backText(invoicesLabelOf(payer))}
        </LinkButton>
        {payment?.hasReceipt && <DownloadReceipt id={payment.id} kind="quiet" />}
      </PaymentDone>
    </QueryClientProvider>
  )
}

interface SignedInStatusProps extends WayBackProps {
  readonly title: string
  readonly status: PayStatus
  /** The payment of this tab; null where it made none. */
  readonly own: PaymentSummary | null
}

/** The invoice cannot be paid now, and why, for a signed-in user: with the payment and the way back. */
export const SignedInStatus = ({ title, status, own, payer, ...way }: SignedInStatusProps) => {
  const tone = status.isConfirming || payer.payment?.hasReceipt === false ? 'pending' : status.tone === 'bad' ? 'bad' : 'good'
  return (
    <PayLayout title={tone === 'pending' ? 'Payment processing' : title} brand={way.brand} isOpen isNarrow>
      <SignedInDone {...way} tone={tone} texts={[status.text]} payment={payer.payment ?? own} payer={payer} />
    </PayLayout>
  )
}
