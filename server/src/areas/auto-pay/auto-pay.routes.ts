import { autoPay } from '@counterfoil/contract/auto-pay'
import type { Area } from '../../kit/serve.ts'
import { resellerCharge } from './auto-pay.queries.ts'

export const autoPayArea: Area = (serve) => {
  serve(autoPay.consent, ({ scope, within }) => within((db) => resellerCharge(db, scope)))
}
