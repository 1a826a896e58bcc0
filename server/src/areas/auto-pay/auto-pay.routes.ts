import { autoPay } from '@counterfoil/contract/auto-pay'
import { auditActor, writeAudit } from '../../audit/audit.ts'
import type { Keys } from '../../kit/keys.ts'
import type { RegisterArea } from '../../http/request-context.ts'
import { readChargeConsent, updateChargeConsent } from './auto-pay.queries.ts'

interface AutoPayDeps {
  readonly keys: Keys
}

/** Registers the endpoints that read and set whether the reseller may charge the customer's default method. */
export const autoPayArea =
  ({ keys }: AutoPayDeps): RegisterArea =>
  (route) => {
    route(autoPay.consent, ({ scope, read }) => read((db) => readChargeConsent(db, scope)))
    route(autoPay.setConsent, ({ scope, transact, actor, requestInfo, now }, { body }) =>
      transact(async (db) => {
        await updateChargeConsent(db, scope, body.allowResellerCharge)
        const consent = await readChargeConsent(db, scope)
        await writeAudit(db, keys, now, {
          resellerId: scope.resellerId,
          customerId: scope.customerId,
          action: body.allowResellerCharge ? 'consent.given' : 'consent.withdrawn',
          actor: auditActor(actor),
          subject: `customer ${scope.customerId}`,
          source: requestInfo.address,
        })
        return consent
      }),
    )
  }
