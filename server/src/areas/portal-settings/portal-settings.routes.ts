import { portalSettings } from '@counterfoil/contract/portal-settings'
import type { Config } from '../../config.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import { findSettings } from './portal-settings.queries.ts'
import { toPaymentDetails, toPortalSettings } from './portal-settings.rules.ts'

export interface PortalSettingsDeps {
  readonly config: Pick<Config, 'splitCardResellers'>
}

export const portalSettingsArea =
  ({ config }: PortalSettingsDeps): RegisterArea =>
  (route) => {
    route(portalSettings.settings, async ({ scope, transact }) => toPortalSettings(await transact((db) => findSettings(db, scope))))
    route(portalSettings.paymentDetails, async ({ scope, transact }) =>
      toPaymentDetails(await transact((db) => findSettings(db, scope)), config.splitCardResellers.has(scope.resellerId)),
    )
  }
