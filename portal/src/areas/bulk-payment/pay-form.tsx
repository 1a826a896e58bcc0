import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { PAYMENT_TYPES } from '@counterfoil/contract/kit/payments/payment-type'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paymentDetailsQuery } from '../../api/account.data.ts'
import { bankMethodsQuery, cardsQuery } from '../../payments/providers/stripe/methods.data.ts'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import styles from './bulk-payment.module.css'
import { ChooseMethod } from './choose-method.tsx'
import { NewCardForm } from './new-card-form.tsx'
import { PaySummary } from './pay-summary.tsx'
import { type SavedMethod, savedMethods } from '../../payments/providers/stripe/saved-methods.ts'
import { useBulkPayment } from './use-bulk-payment.ts'

interface PayFormProps {
  readonly intent: PaymentIntent
  /** Loads the intent again after an attempt and returns its status; undefined when the load fails. */
  readonly reloadStatus: () => Promise<number | undefined>
  /** Called when an attempt starts; from then on a decline is shown in the form. */
  readonly onSubmit: () => void
}

const NO_METHOD_TEXT =
  'You cannot pay invoices because no default payment method is configured. To configure a payment method, go to Settings → Payment Methods'

/** The summary, and the method to pay with: a saved one or a new card. */
export const PayForm = (props: PayFormProps) => {
  const cards = useQuery(cardsQuery())
  const accounts = useQuery(bankMethodsQuery())
  const details = useQuery(paymentDetailsQuery())
  const [kind, setKind] = useState<'card' | 'bank' | null>(null)
  const failedQueries = [cards, accounts, details].filter(({ isError }) => isError)
  const isLoaded = cards.data !== undefined && accounts.data !== undefined && details.data !== undefined

  return (
    <div className={styles.columns}>
      <Tile title="Payment method">
        {isLoaded && (
          <Methods {...props} details={details.data} methods={savedMethods(cards.data, accounts.data)} kind={kind} onKind={setKind} />
        )}
        {!isLoaded && failedQueries.length > 0 && (
          <Unavailable subject="Your payment methods" onRetry={() => failedQueries.forEach(({ refetch }) => void refetch())} />
        )}
        {!isLoaded && failedQueries.length === 0 && <Spinner label="Loading your payment methods" />}
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

/** Payment types with a form for a new card on this page. */
const TYPES_WITH_NEW_CARD: ReadonlySet<number> = new Set([PAYMENT_TYPES.stripe])

const Methods = ({ intent, reloadStatus, onSubmit, details, methods, kind, onKind }: MethodsProps) => {
  const [isNewCard, setNewCard] = useState(false)
  const payment = useBulkPayment(intent, details, reloadStatus, onSubmit)
  const canAddCard = TYPES_WITH_NEW_CARD.has(details.paymentType)

  const openNewCard = (): void => {
    payment.clearError()
    onKind('card')
    setNewCard(true)
  }
  const closeNewCard = (): void => {
    payment.clearError()
    onKind(null)
    setNewCard(false)
  }

  if (methods.length === 0 && !canAddCard) return <p>{NO_METHOD_TEXT}</p>
  if (isNewCard) return <NewCardForm intent={intent} details={details} payment={payment} onBack={closeNewCard} />
  return (
    <ChooseMethod
      intent={intent}
      methods={methods}
      details={details}
      payment={payment}
      kind={kind}
      onKind={onKind}
      onNewCard={canAddCard ? openNewCard : undefined}
    />
  )
}
