import { portalSettings } from '@counterfoil/contract/portal-settings'
import type { Config } from '../../config.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import { providerScriptUrl } from '../../payments/accounts/provider-script.ts'
import { acceptsCardNumbers } from '../../payments/accounts/accounts.ts'
import { findProviderFor, type PaymentsDeps } from '../../payments/payments-deps.ts'
import { readDueAdjustments } from '../bulk-payment/bulk-payment.service.ts'
import { readPortalSettings } from './portal-settings.queries.ts'
import { toPaymentDetails, toPortalSettings } from './portal-settings.rules.ts'

export interface PortalSettingsDeps {
  readonly config: Pick<Config, 'splitCardResellers'>
  readonly payments: Pick<PaymentsDeps, 'providers'>
}

/** Registers the endpoints of the portal's settings and of what its payment forms need; both only read. */
export const portalSettingsArea =
  ({ config, payments }: PortalSettingsDeps): RegisterArea =>
  (route) => {
    route(portalSettings.settings, async ({ scope, read }) => {
      const row = await read((db) => readPortalSettings(db, scope))
      const takesAdjustments = row.paymentsEnabled && row.paymentsBulk
      return toPortalSettings(row, takesAdjustments ? await read((db) => readDueAdjustments(db, scope)) : [])
    })
    route(portalSettings.paymentDetails, async ({ scope, read }) => {
      const row = await read((db) => readPortalSettings(db, scope))
      const provider = findProviderFor(payments, row.paymentProvider ?? '')
      return toPaymentDetails(row, {
        scriptUrl: providerScriptUrl(provider, row.accountBaseUrl),
        takesCardNumbers: row.mayTakeRawCards && acceptsCardNumbers(provider),
        splitCardFields: config.splitCardResellers.has(scope.resellerId),
      })
    })
  }
