import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { PAYMENT_TYPES } from '@counterfoil/contract/kit/payments/payment-type'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paymentDetailsQuery } from '../../api/account.data.ts'
import { bankMethodsQuery, cardsQuery } from '../../api/payment-methods.data.ts'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import styles from './bulk-payment.module.css'
import { ChooseMethod } from './choose-method.tsx'
import { NewCardForm } from './new-card-form.tsx'
import { PaySummary } from './pay-summary.tsx'
import { type SavedMethod, savedMethods } from './saved-methods.ts'
import { usePayment } from './use-bulk-payment.ts'

interface PayFormProps {
  readonly intent: PaymentIntent
  /** Asks the server how the intent stands, after a try; gives its status, or undefined where the server cannot be asked. */
  readonly onTried: () => Promise<number | undefined>
  /** Told when a try begins: a decline is then told beside the form, and the form stays. */
  readonly onBegun: () => void
}

const NO_METHOD =
  'You cannot pay invoices because no default payment method is configured. To configure a payment method, go to Settings → Payment Methods'

/** The summary, and what pays: a stored method, or a new card. */
export const PayForm = (props: PayFormProps) => {
  const cards = useQuery(cardsQuery())
  const accounts = useQuery(bankMethodsQuery())
  const details = useQuery(paymentDetailsQuery())
  const [kind, setKind] = useState<'card' | 'bank' | null>(null)
  const failed = [cards, accounts, details].filter(({ isError }) => isError)
  const isKnown = cards.data !== undefined && accounts.data !== undefined && details.data !== undefined

  return (
    <div className={styles.columns}>
      <Tile title="Payment method">
        {isKnown && (
          <Methods {...props} details={details.data} methods={savedMethods(cards.data, accounts.data)} kind={kind} onKind={setKind} />
        )}
        {!isKnown && failed.length > 0 && (
          <Unavailable what="Your payment methods" onAgain={() => failed.forEach(({ refetch }) => void refetch())} />
        )}
        {!isKnown && failed.length === 0 && <Spinner label="Loading your payment methods" />}
      </Tile>
      <PaySummary intent={props.intent} kind={kind} />
    </div>
  )
}

interface MethodsProps extends PayFormProps {
  readonly details: PaymentDetails
  readonly methods: readonly SavedMethod[]
  readonly kind: 'card' | 'bank' | null
  readonly onKind: (kind: 'card' | 'bank' | null) => void
}

/** Types whose new methods can be given right here (payments.md §2, Bulk payment screen); frames of type 4 come with its panel. */
const TAKES_NEW: ReadonlySet<number> = new Set([PAYMENT_TYPES.stripe])

const Methods = ({ intent, onTried, onBegun, details, methods, kind, onKind }: MethodsProps) => {
  const [isNew, setNew] = useState(false)
  const payment = usePayment(intent, details, onTried, onBegun)
  const takesNew = TAKES_NEW.has(details.paymentType)

  const openNew = (): void => {
    payment.clear()
    onKind('card')
    setNew(true)
  }
  const closeNew = (): void => {
    payment.clear()
    onKind(null)
    setNew(false)
  }

  if (methods.length === 0 && !takesNew) return <p>{NO_METHOD}</p>
  if (isNew) return <NewCardForm intent={intent} details={details} payment={payment} onBack={closeNew} />
  return (
    <ChooseMethod
      intent={intent}
      methods={methods}
      details={details}
      payment={payment}
      kind={kind}
      onKind={onKind}
      onNew={takesNew ? openNew : undefined}
    />
  )
}
