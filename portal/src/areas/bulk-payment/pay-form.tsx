import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { paymentDetailsQuery } from '../../api/account.data.ts'
import { bankSaving } from '../../payments/checkout/bank-saving.ts'
import { defaultMethod } from '../../payments/checkout/method-choice.tsx'
import checkout from '../../payments/checkout/checkout.module.css'
import { savedMethodsQuery } from '../../payments/methods/methods.data.ts'
import type { MethodKind, ProviderPanel, SavedMethodsModule } from '../../payments/providers/panel.ts'
import { panelOf } from '../../payments/providers/registry.ts'
import { storedMethodsOf } from '../../payments/providers/stored-methods-registry.ts'
import { useProviderModule } from '../../payments/providers/use-provider-module.ts'
import { usePaymentTypesOffered } from '../../shell/header/settings-entries.ts'
import { Button } from '../../ui/button/button.tsx'
import { ResourceStatus } from '../../ui/feedback/resource-status.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import styles from './bulk-payment.module.css'
import { ChooseMethod } from './choose-method.tsx'
import { FramePayment } from './frame-payment.tsx'
import { NewCardForm } from './new-card-form.tsx'
import { NoMethod } from './no-method.tsx'
import { PaySummary, symbolOf } from './pay-summary.tsx'
import { useBulkPayment } from './use-bulk-payment.ts'
import type { IntentState } from './use-intent.ts'

interface PayFormProps extends Pick<IntentState, 'readStanding' | 'showPayment'> {
  readonly intent: PaymentIntent
  /** Called when an attempt starts; from then on a decline is shown in the form. */
  readonly onSubmit: () => void
  /** Called when the provider's frame cannot be loaded. */
  readonly onFrameFailed: () => void
}

const METHODS = 'Your payment methods'

/** Does this provider take a card that is not stored for paying several invoices? */
const takesNewCard = ({ paysSeveralWithNewCard, loadFrame }: ProviderPanel): boolean =>
  paysSeveralWithNewCard === true || loadFrame !== undefined

/** The payment summary, and beside it the method to pay with: a saved one or a new card. */
export const PayForm = (props: PayFormProps) => {
  const { data: details, isError, refetch } = useQuery(paymentDetailsQuery())
  const [kind, setKind] = useState<MethodKind | null>(null)
  const [isNewCard, setNewCard] = useState(false)
  const provider = details === undefined ? null : panelOf(details.paymentType)
  // A new card works at once on the page of one invoice.
  const paysSingly = provider !== null && !takesNewCard(provider) && provider.loadCardEntry !== undefined

  return (
    <div className={checkout.columns}>
      <Tile title={isNewCard ? 'New card' : 'Pay with'}>
        {details === undefined && isError && <Unavailable subject={METHODS} onRetry={() => void refetch()} />}
        {details === undefined && !isError && <Spinner label="Loading your payment methods" />}
        {details !== undefined && provider === null && <NoMethod intent={props.intent} paysSingly={false} />}
        {details !== undefined && provider !== null && (
          <ProviderMethods
            {...props}
            details={details}
            provider={provider}
            paysSingly={paysSingly}
            onKind={setKind}
            isNewCard={isNewCard}
            onNewCard={setNewCard}
          />
        )}
      </Tile>
      <PaySummary intent={props.intent} kind={kind} linksInvoices={paysSingly} />
    </div>
  )
}

interface MethodsProps extends PayFormProps {
  readonly details: PaymentDetails
  readonly provider: ProviderPanel
  readonly paysSingly: boolean
  readonly onKind: (kind: MethodKind | null) => void
  /** Whether a card that is not stored is being entered. */
  readonly isNewCard: boolean
  readonly onNewCard: (isNewCard: boolean) => void
}

/** Loads the provider's module of saved methods, then shows the ways to pay. */
const ProviderMethods = (props: MethodsProps) => {
  const module = useProviderModule(storedMethodsOf(props.details.paymentType)?.loadSavedMethods ?? null)
  return module.state === 'ready' ? <Methods {...props} module={module.value} /> : <ResourceStatus resource={module} subject={METHODS} />
}

/** Loads the saved methods, then shows what can pay: a saved method, the form of a new card, or that no method can. */
const Methods = ({ module, ...props }: MethodsProps & { module: SavedMethodsModule }) => {
  const { intent, onSubmit, onFrameFailed, details, provider, onKind, isNewCard, onNewCard } = props
  const loadCardEntry = provider.paysSeveralWithNewCard === true ? provider.loadCardEntry : undefined
  const { loadFrame } = provider
  const methods = useQuery(savedMethodsQuery(module))
  const isAddingOffered = usePaymentTypesOffered()
  const payment = useBulkPayment(props, details, onSubmit)
  const defaultKind = methods.data === undefined ? null : (defaultMethod(methods.data)?.kind ?? null)
  // The summary follows what is chosen to begin with.
  useEffect(() => onKind(defaultKind), [onKind, defaultKind])

  const openNewCard = (): void => {
    payment.clearError()
    onKind('card')
    onNewCard(true)
  }
  const closeNewCard = (): void => {
    payment.clearError()
    onKind(defaultKind)
    onNewCard(false)
  }

  if (methods.data === undefined) {
    return methods.isError ? (
      <Unavailable subject={METHODS} onRetry={() => void methods.refetch()} />
    ) : (
      <Spinner label="Loading your payment methods" />
    )
  }
  if (methods.data.length === 0 && !takesNewCard(provider)) return <NoMethod intent={intent} paysSingly={props.paysSingly} />
  const takesAccounts = isAddingOffered && (details.directDebitPaymentMethodId !== null || provider.storesAccountsAsCards === true)
  const hasSaved = methods.data.length > 0
  const saving = takesAccounts ? bankSaving(intent.fees, symbolOf(intent)) : ''
  const otherWay = (hasSaved || takesAccounts) && (
    <div className={styles.other}>
      <Button kind="plain" disabled={payment.busy} onPress={closeNewCard}>
        {hasSaved ? 'Use a saved method' : `Other ways to pay${saving && `, save ${saving}`}`}
      </Button>
    </div>
  )
  if (isNewCard && loadCardEntry !== undefined) {
    return (
      <NewCardForm intent={intent} details={details} payment={payment} loadCardEntry={loadCardEntry}>
        {otherWay}
      </NewCardForm>
    )
  }
  if (isNewCard && loadFrame !== undefined) {
    return (
      <FramePayment intent={intent} loadFrame={loadFrame} payment={payment} onSubmit={onSubmit} onFailed={onFrameFailed}>
        {otherWay}
      </FramePayment>
    )
  }
  return (
    <ChooseMethod
      intent={intent}
      methods={methods.data}
      details={details}
      payment={payment}
      onKind={onKind}
      takesAccounts={takesAccounts}
      namesInCardToken={provider.paysByCardToken === true}
      onNewCard={takesNewCard(provider) ? openNewCard : undefined}
    />
  )
}
