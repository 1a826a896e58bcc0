import { autoPay } from '@counterfoil/contract/auto-pay'
import { auditActor, writeAudit } from '../../audit/audit.ts'
import type { Keys } from '../../kit/keys.ts'
import type { Area } from '../../http/request-context.ts'
import { resellerCharge, setResellerCharge } from './auto-pay.queries.ts'

/** What a customer's word needs of the house. */
interface AutoPayDeps {
  readonly keys: Keys
}

export const autoPayArea =
  ({ keys }: AutoPayDeps): Area =>
  (serve) => {
    serve(autoPay.consent, ({ scope, within }) => within((db) => resellerCharge(db, scope)))
    serve(autoPay.setConsent, ({ scope, within, actor, visitor, now }, { body }) =>
      within(async (db) => {
        await setResellerCharge(db, scope, body.allowResellerCharge)
        const said = await resellerCharge(db, scope)
        await writeAudit(db, keys, now, {
          resellerId: scope.resellerId,
          customerId: scope.customerId,
          action: body.allowResellerCharge ? 'consent.given' : 'consent.withdrawn',
          actor: auditActor(actor),
          subject: `customer ${scope.customerId}`,
          source: visitor.address,
        })
        return said
      }),
    )
  }
