import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { paymentDetailsQuery } from '../../api/account.data.ts'
import { useAccount } from '../../shell/account/account.tsx'
import { Page } from '../../shell/page.tsx'
import { dashboardPath } from '../../shell/navigation/sections.tsx'
import { ResourceStatus } from '../../ui/feedback/resource-status.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { methodsQuery } from '../../payments/methods/methods.data.ts'
import { BackToPayment } from '../../payments/checkout/back-to-payment.tsx'
import { ConsentTile } from './consent-tile.tsx'
import { MethodTile } from './method-tile.tsx'
import styles from './payment-methods.module.css'
import { storedMethodsOf } from '../../payments/providers/stored-methods-registry.ts'
import type { MethodLists, StoredMethods } from '../../payments/providers/panel.ts'
import { useProviderModule } from '../../payments/providers/use-provider-module.ts'
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
  const methods = storedMethodsOf(details.data.paymentType)
  return (
    <>
      <BackToPayment />
      <Page title={TITLE}>
        <div className={styles.page}>
          <NotConfirmedBanner />
          {methods === null ? (
            <>
              <p>Payment page not available</p>
              <ConsentTile legalName={details.data.companyName} />
            </>
          ) : (
            <MethodTiles details={details.data} methods={methods} />
          )}
          {details.data.paymentTypeDisclaimer !== null && <p className={styles.disclaimer}>{details.data.paymentTypeDisclaimer}</p>}
        </div>
      </Page>
    </>
  )
}

interface MethodTilesProps {
  readonly details: PaymentDetails
  readonly methods: StoredMethods
}

/** Loads the provider's code for its lists of methods, then shows them. */
const MethodTiles = ({ details, methods }: MethodTilesProps) => {
  const module = useProviderModule(methods.loadMethodLists)
  if (module.state === 'ready') return <Lists details={details} lists={module.value.methodLists(details)} />
  return (
    <>
      <ResourceStatus resource={module} subject="Your payment methods" />
      <ConsentTile legalName={details.companyName} />
    </>
  )
}

/** The tiles of cards and, where the provider has them, bank accounts, and the permission to charge them. */
const Lists = ({ details, lists: { cards, accounts } }: { details: PaymentDetails; lists: MethodLists }) => {
  const savedCards = useQuery(methodsQuery(cards))
  const savedAccounts = useQuery(methodsQuery<unknown>(accounts ?? cards))
  return (
    <>
      <div className={styles.lists}>
        <MethodTile details={details} list={cards} />
        {accounts && <MethodTile details={details} list={accounts} />}
      </div>
      <ConsentTile legalName={details.companyName} hasNoMethod={savedCards.data?.length === 0 && savedAccounts.data?.length === 0} />
    </>
  )
}
