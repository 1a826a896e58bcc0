import { portalSettings } from '@counterfoil/contract/portal-settings'
import type { Area } from '../../kit/serve.ts'
import { settingsRow } from './portal-settings.queries.ts'
import { paymentDetailsOf, portalSettingsOf } from './portal-settings.rules.ts'

export const portalSettingsArea: Area = (serve) => {
  serve(portalSettings.settings, async ({ scope, within }) => portalSettingsOf(await within((db) => settingsRow(db, scope))))
  serve(portalSettings.paymentDetails, async ({ scope, within }) => paymentDetailsOf(await within((db) => settingsRow(db, scope))))
}
