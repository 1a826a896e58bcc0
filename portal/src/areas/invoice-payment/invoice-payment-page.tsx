import type { BrandSettings } from '@counterfoil/contract/brands'
import { isAnySectionOpen } from '@counterfoil/contract/kit/sections'
import type { InvoicePayment } from '@counterfoil/contract/invoice-payment'
import { INTENT_STATUS, UNANSWERED_TEXT } from '@counterfoil/contract/kit/payments/payment-status'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { PaymentDone, receiptText } from '../../payments/checkout/payment-done.tsx'
import { PaymentNotice } from '../../payments/outcome/payment-notice.tsx'
import { panelOf } from '../../payments/providers/registry.ts'
import { useProviderModule } from '../../payments/providers/use-provider-module.ts'
import { paymentErrorText } from '../../payments/outcome/payment-error.ts'
import { INVOICES_PATH } from '../../shell/navigation/paths.ts'
import { LinkButton } from '../../ui/button/link-button.tsx'
import { ResourceStatus } from '../../ui/feedback/resource-status.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { SupportText } from '../../ui/feedback/support-text.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { FrameFormProps } from './frame-form.tsx'
import type { LinkPayment } from './link-payment.ts'
import { InvoiceSummary, paidTotalText, cardTotalText } from './invoice-summary.tsx'
import { PayForm } from './pay-form.tsx'
import { PayLayout } from './pay-layout.tsx'
import styles from './pay-page.module.css'
import { type PayStatus, payStatus } from './pay-status.ts'
import { type OwnPayment, storeRedirectedPayment } from './redirected-payment.ts'
import { useInvoiceBrand } from './use-invoice-brand.ts'
import { useInvoice } from './use-invoice.ts'
import { type SignedInPayer, useLinkPayer } from './use-link-payer.ts'

interface InvoicePaymentPageProps {
  readonly token: string
  /** The payment that this tab was redirected to the bank for; null when it does not come back from there. */
  readonly redirectedPayment: OwnPayment | null
}

/**
 * `/pay/{token}`: one invoice and what pays it: for everybody with a new card, for its customer's users with stored methods (SP-01,
 * EASE-02).
 */
export const InvoicePaymentPage = ({ token, redirectedPayment }: InvoicePaymentPageProps) => {
  const { invoice, failure, hasUnreportedFailure, isUnanswered, readStanding, showPayment } = useInvoice(token, redirectedPayment !== null)
  const brand = useInvoiceBrand(invoice)
  const payer = useLinkPayer(token, invoice)
  const [own, setOwn] = useState<(OwnPayment & { isPaid: boolean }) | null>(null)
  const [wasFormShown, setWasFormShown] = useState(false)
  const [isCardBusy, setCardBusy] = useState(false)
  // For another reload: this one has not learned what became of it.
  useEffect(() => {
    if (isUnanswered && redirectedPayment !== null) storeRedirectedPayment(token, redirectedPayment)
  }, [isUnanswered, redirectedPayment, token])

  if (invoice === null && isWrongLink(failure)) return <LazyWrongLink why={paymentErrorText(failure)} />
  if (invoice === null) {
    return (
      <PayLayout title="Pay invoice" brand={brand}>
        {isUnanswered && <PaymentNotice isUnanswered notice={UNANSWERED_TEXT} />}
        {!isUnanswered && failure !== null && <LoadError failure={failure} onRetry={() => void readStanding()} />}
        {failure === null && <Spinner label="Loading the invoice" />}
      </PayLayout>
    )
  }
  // After the return from the bank the server's status decides whether the success text is shown.
  const isPaid = own?.isPaid === true || invoice.paymentStatus === INTENT_STATUS.paid
  const completedPayment = isPaid ? (own ?? redirectedPayment) : null
  if (completedPayment !== null)
    return <Success token={token} paid={completedPayment} invoice={invoice} brand={brand} payer={payer ?? null} />

  const status = payStatus(invoice, wasFormShown)
  if (status === null && !wasFormShown) setWasFormShown(true)
  const title = `Pay ${invoice.InvoiceNumber}`
  const panel = panelOf(invoice.paymentType)
  const { loadCardEntry, loadFrame } = panel ?? {}
  const initialError =
    (redirectedPayment !== null || hasUnreportedFailure) && invoice.paymentStatus === INTENT_STATUS.failed
      ? (invoice.paymentError ?? '')
      : null
  const form: LinkPayment = {
    token,
    initialError,
    readStanding,
    onAnswer: ({ status: answer, intentStatus, payment }, total, email) => {
      setOwn({ paid: payment === null ? total : paidTotalText(payment), email, payment, isPaid: answer === 'succeeded' })
      showPayment({ paymentStatus: intentStatus, payment })
    },
    onRedirect: ({ payment }, paid, email) => storeRedirectedPayment(token, { paid, email, payment }),
  }
  const newCardForm = invoice.isFrame
    ? loadFrame !== undefined && (
        <LazyFrameForm
          {...form}
          invoice={invoice}
          loadFrame={loadFrame}
          onBusy={setCardBusy}
          onPaid={(email) => setOwn({ paid: cardTotalText(invoice), email, payment: null, isPaid: true })}
        />
      )
    : loadCardEntry !== undefined && (
        <PayForm {...form} invoice={invoice} initialEmail={payer?.receiptEmail ?? ''} loadCardEntry={loadCardEntry} onBusy={setCardBusy} />
      )

  if (status !== null)
    return <StatusPage token={token} title={title} status={status} invoice={invoice} brand={brand} payer={payer ?? null} own={own} />
  if (payer === null || panel === null) {
    return (
      <PayLayout title={title} brand={brand} isWide>
        <InvoiceSummary invoice={invoice}>
          <LinkPdf token={token} invoice={invoice} brand={brand} />
        </InvoiceSummary>
        {newCardForm}
      </PayLayout>
    )
  }
  if (payer === undefined) {
    return (
      <PayLayout title={title} brand={brand} isOpen>
        <Spinner label="Loading your payment methods" />
      </PayLayout>
    )
  }
  const { SignedInPayment, WayBack } = payer.module
  return (
    <PayLayout title={title} brand={brand} isOpen back={<WayBack brand={brand} payer={payer} customerId={invoice.customer} />}>
      <SignedInPayment {...form} invoice={invoice} payer={payer} brand={brand} newCardForm={newCardForm} isCardBusy={isCardBusy} />
    </PayLayout>
  )
}

/** Loads the code of the form with the provider's frame, which only one provider has. */
const loadFrameForm = () => import('./frame-form.tsx')

/** The form with the provider's frame. Its code is loaded when it is first shown. */
const LazyFrameForm = (props: FrameFormProps) => {
  const module = useProviderModule(loadFrameForm)
  if (module.state !== 'ready') return <ResourceStatus resource={module} subject="The payment form" />
  return <module.value.FrameForm {...props} />
}

interface OutcomeProps {
  readonly token: string
  readonly invoice: InvoicePayment
  readonly brand: BrandSettings | null
  /** Null for everybody who is not a signed-in user of the invoice's customer. */
  readonly payer: SignedInPayer | null
}

/** Says that the payment succeeded, with its amount, its receipt and where to go from here. */
const Success = ({ token, paid: { paid, email, payment }, invoice, brand, payer }: OutcomeProps & { paid: OwnPayment }) => {
  const texts = [`You paid ${paid} to ${invoice.brandName}`, receiptText(email)]
  // What was stored before the bank was asked has no receipt yet.
  const latest = payment?.hasReceipt === true ? payment : (payer?.payment ?? invoice.payment ?? payment)
  return (
    <PayLayout title="Payment Successful" brand={brand} isOpen isNarrow>
      {payer === null ? (
        <PaymentDone tone="good" texts={texts} payment={latest}>
          <WayOn token={token} hasReceipt={latest?.hasReceipt === true} />
        </PaymentDone>
      ) : (
        <payer.module.SignedInDone tone="good" texts={texts} payment={latest} payer={payer} brand={brand} customerId={invoice.customer} />
      )}
    </PayLayout>
  )
}

interface StatusPageProps extends OutcomeProps {
  readonly title: string
  readonly status: PayStatus
  readonly own: OwnPayment | null
}

/** The invoice cannot be paid now, and why; a signed-in user sees the payment and the way back. */
const StatusPage = ({ token, title, status, invoice, brand, payer, own }: StatusPageProps) => {
  if (payer !== null) {
    const { SignedInStatus } = payer.module
    return (
      <SignedInStatus title={title} status={status} own={own?.payment ?? null} payer={payer} brand={brand} customerId={invoice.customer} />
    )
  }
  if (invoice.payment !== null && (status.isConfirming || status.tone === 'good')) {
    const tone = status.isConfirming ? 'pending' : 'good'
    return (
      <PayLayout title={tone === 'pending' ? 'Payment processing' : title} brand={brand} isOpen isNarrow>
        <PaymentDone tone={tone} texts={[status.text]} payment={invoice.payment}>
          <WayOn token={token} hasReceipt={invoice.hasLinkReceipt} />
        </PaymentDone>
      </PayLayout>
    )
  }
  return (
    <PayLayout title={title} brand={brand}>
      <InvoiceSummary invoice={invoice}>
        <LinkPdf token={token} invoice={invoice} brand={brand} />
      </InvoiceSummary>
      <output className={`${styles.status} ${styles[status.tone]}`}>
        {status.isConfirming && <Spinner size="small" />}
        <span>
          <SupportText>{status.text}</SupportText>
        </span>
      </output>
    </PayLayout>
  )
}

/** The URL path of the PDF of a payment link's invoice, or of the receipt. The browser itself downloads the file and shows the progress. */
const fileHref = (token: string, file: 'invoice' | 'receipt'): string => `/v1/ec/pay/${encodeURIComponent(token)}/${file}`

/** The link that downloads the invoice's PDF; nothing where the brand's users do not see invoices. */
const LinkPdf = ({ token, invoice, brand }: Pick<OutcomeProps, 'token' | 'invoice' | 'brand'>) =>
  brand !== null &&
  isAnySectionOpen(['dashboard', 'invoices'], brand) && (
    <LinkButton kind="plain" href={fileHref(token, 'invoice')} isFile label={`Download PDF of ${invoice.InvoiceNumber}`}>
      <Icon name="download" />
      Download PDF
    </LinkButton>
  )

/** The buttons for whoever has the link: to the invoices of the portal, and the download of the receipt where there is one. */
const WayOn = ({ token, hasReceipt }: { token: string; hasReceipt: boolean }) => (
  <>
    <LinkButton href={INVOICES_PATH}>Your invoices</LinkButton>
    {hasReceipt && (
      <LinkButton kind="quiet" href={fileHref(token, 'receipt')} isFile>
        <Icon name="download" />
        Receipt
      </LinkButton>
    )}
  </>
)

/** Whether the server says that no invoice has this link: a 404 or 400. Trying again cannot help. */
const isWrongLink = (failure: unknown): boolean => failure instanceof ApiError && (failure.status === 404 || failure.status === 400)

/** Loads the code of the page of a wrong link, which few people see. */
const loadWrongLink = () => import('./wrong-link.tsx')

/** The page of a wrong link. Its code is loaded when it is first shown. */
const LazyWrongLink = ({ why }: { why: string }) => {
  const module = useProviderModule(loadWrongLink)
  if (module.state === 'ready') return <module.value.WrongLink why={why} />
  return (
    <PayLayout title="Pay invoice" brand={null}>
      <ResourceStatus resource={module} subject="The invoice" />
    </PayLayout>
  )
}

/** Why the invoice could not be loaded, with a retry. */
const LoadError = ({ failure, onRetry }: { failure: unknown; onRetry: () => void }) => (
  <>
    <p className={`${styles.status} ${styles.bad}`} role="alert">
      {paymentErrorText(failure)}
    </p>
    <Unavailable subject="The invoice" onRetry={onRetry} />
  </>
)
