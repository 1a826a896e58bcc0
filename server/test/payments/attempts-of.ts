import type { AppContext } from '../../src/context.ts'
import { queryAsAdministrator } from '../support/people.ts'

/** A try to pay an invoice, and what the invoice has come to. */
export interface FoundAttempt {
  readonly id: string
  readonly merchantReference: string
  readonly providerRef: string | null
  readonly status: string
  readonly accountId: number
  readonly methodShown: object
  readonly receiptEmail: string | null
  readonly invoiceStatus: number
}

/** The attempts to pay an invoice, the latest first. */
export const attemptsOf = (context: AppContext, invoice: number): Promise<FoundAttempt[]> =>
  queryAsAdministrator<FoundAttempt>(
    context,
    `select a.id, a.merchant_reference as "merchantReference", a.provider_ref as "providerRef", a.status, a.account_id::int as "accountId",
       a.method_shown as "methodShown", a.receipt_email as "receiptEmail", v.status::int as "invoiceStatus"
     from payment_attempt_item i join payment_attempt a on a.customer_id = i.customer_id and a.id = i.attempt_id
     join invoice v on v.id = i.invoice_id where v.id = $1 order by a.created_at desc`,
    [invoice],
  )

/** @throws Error where nobody has tried to pay the invoice */
export const lastAttemptOf = async (context: AppContext, invoice: number): Promise<FoundAttempt> => {
  const [attempt] = await attemptsOf(context, invoice)
  if (attempt === undefined) throw new Error('there is no attempt')
  return attempt
}
