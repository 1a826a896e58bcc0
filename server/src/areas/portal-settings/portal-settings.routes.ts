import { portalSettings } from '@counterfoil/contract/portal-settings'
import type { Config } from '../../config.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import { settingsRow } from './portal-settings.queries.ts'
import { paymentDetailsOf, portalSettingsOf } from './portal-settings.rules.ts'

/** What this area is told of the installation. */
export interface PortalSettingsDeps {
  readonly config: Pick<Config, 'splitCardResellers'>
}

export const portalSettingsArea =
  ({ config }: PortalSettingsDeps): RegisterArea =>
  (route) => {
    route(portalSettings.settings, async ({ scope, transact }) => portalSettingsOf(await transact((db) => settingsRow(db, scope))))
    route(portalSettings.paymentDetails, async ({ scope, transact }) =>
      paymentDetailsOf(await transact((db) => settingsRow(db, scope)), config.splitCardResellers.has(scope.resellerId)),
    )
  }
