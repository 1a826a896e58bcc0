import { autoPay } from '@counterfoil/contract/auto-pay'
import type { Area } from '../../kit/serve.ts'
import { resellerCharge, setResellerCharge } from './auto-pay.queries.ts'

export const autoPayArea: Area = (serve) => {
  serve(autoPay.consent, ({ scope, within }) => within((db) => resellerCharge(db, scope)))
  serve(autoPay.setConsent, ({ scope, within }, { body }) =>
    within(async (db) => {
      await setResellerCharge(db, scope, body.allowResellerCharge)
      return resellerCharge(db, scope)
    }),
  )
}
