import { portalSettings } from '@counterfoil/contract/portal-settings'
import type { Config } from '../../config.ts'
import type { Area } from '../../http/request-context.ts'
import { settingsRow } from './portal-settings.queries.ts'
import { paymentDetailsOf, portalSettingsOf } from './portal-settings.rules.ts'

/** What this area is told of the installation. */
export interface PortalSettingsDeps {
  readonly config: Pick<Config, 'splitCardResellers'>
}

export const portalSettingsArea =
  ({ config }: PortalSettingsDeps): Area =>
  (serve) => {
    serve(portalSettings.settings, async ({ scope, within }) => portalSettingsOf(await within((db) => settingsRow(db, scope))))
    serve(portalSettings.paymentDetails, async ({ scope, within }) =>
      paymentDetailsOf(await within((db) => settingsRow(db, scope)), config.splitCardResellers.has(scope.resellerId)),
    )
  }
