import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { paymentDetailsQuery } from '../../api/account.data.ts'
import { useAccount } from '../../shell/account.tsx'
import { Page } from '../../shell/page.tsx'
import { bankMethodsQuery, cardsQuery } from '../../payments/providers/stripe/methods.data.ts'
import { dashboardPath } from '../../shell/sections.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { ConsentTile } from './consent-tile.tsx'
import { MethodTile } from './method-tile.tsx'
import styles from './payment-methods.module.css'
import { bankTitle, cardExpiry, cardTitle } from '../../payments/providers/stripe/method-label.ts'
import { panelOf } from '../../payments/providers/registry.ts'
import type { ProviderPanel } from '../../payments/providers/panel.ts'
import { NotConfirmedBanner } from './not-confirmed-banner.tsx'

const TITLE = 'Payment Types'

/** `/payment-types`: saved cards and bank accounts, and the permission to charge them. Redirects when payments are off (PM-01). */
export const PaymentMethodsPage = () => {
  const { settings, branding } = useAccount()
  const details = useQuery({ ...paymentDetailsQuery(), enabled: settings.payments.enabled })
  if (!settings.payments.enabled) return <Navigate to={dashboardPath(branding)} replace />
  if (details.data === undefined) {
    return (
      <Page title={TITLE}>
        {details.isError ? <Unavailable subject={TITLE} onRetry={() => void details.refetch()} /> : <Spinner label={`Loading ${TITLE}`} />}
      </Page>
    )
  }
  const panel = panelOf(details.data.paymentType)
  return (
    <Page title={TITLE}>
      <div className={styles.page}>
        <NotConfirmedBanner />
        <ConsentTile legalName={details.data.companyName} />
        {panel === undefined ? <p>Payment page not available</p> : <Methods details={details.data} panel={panel} />}
        {details.data.paymentTypeDisclaimer !== null && <p className={styles.disclaimer}>{details.data.paymentTypeDisclaimer}</p>}
      </div>
    </Page>
  )
}

const Methods = ({ details, panel }: { details: PaymentDetails; panel: ProviderPanel }) => {
  const cards = useQuery(cardsQuery())
  const banks = panel.banks(details.directDebitPaymentMethodId)
  const accounts = useQuery({ ...bankMethodsQuery(), enabled: banks !== null })
  const { AddCard, EditCard } = panel
  return (
    <>
      <MethodTile
        heading="Cards"
        addLabel="Add Card"
        details={details}
        Add={AddCard}
        methods={cards}
        rowOf={(card) => ({
          id: card.id,
          title: cardTitle(card),
          detail: cardExpiry(card) && `Expires ${cardExpiry(card)}`,
          isDefault: card.isDefault,
          isPending: false,
          facts: panel.cardFacts(card),
        })}
        kind="card"
        Edit={EditCard}
      />
      {banks !== null && (
        <MethodTile
          heading={banks.heading}
          addLabel="Add Bank Account"
          details={details}
          Add={banks.AddBank}
          methods={accounts}
          rowOf={(account) => ({
            id: account.id,
            title: bankTitle(account),
            detail: account.billingDetails.name ?? '',
            isDefault: account.isDefault,
            isPending: account.status === 'pending',
            facts: banks.facts(account),
          })}
          kind="bank"
        />
      )}
    </>
  )
}
