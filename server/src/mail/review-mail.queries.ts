import { randomUUID } from 'node:crypto'
import { toDecimalText } from '@counterfoil/contract/kit/money'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { paymentReference } from '@counterfoil/contract/kit/payments/payment-reference'
import { enqueueMail } from './mail.queries.ts'
import type { ReviewFacts } from './review-facts.ts'

interface UnknownAttempt {
  readonly id: string
  readonly merchantReference: string
  readonly customerId: number
  readonly provider: string
  readonly currency: string
  readonly amountMinor: number
}

/**
 * Queues the mail by which an operator learns of a payment that needs a person, in the transaction that says so, and only when its event
 * is new. Runs as counterfoil_reseller.
 * @param whereToLook where the provider's desk shows what became of it
 */
export const queueReviewMail = async (
  db: Db,
  attempt: UnknownAttempt,
  { recipient, whereToLook, now }: { readonly recipient: string; readonly whereToLook: string; readonly now: Date },
): Promise<void> => {
  const { brandId } = await db
    .selectFrom('customer')
    .select('brand_id as brandId')
    .where('id', '=', attempt.customerId)
    .executeTakeFirstOrThrow()
  const facts: ReviewFacts = {
    attemptId: attempt.id,
    merchantReference: attempt.merchantReference,
    provider: attempt.provider,
    amount: toDecimalText({ minor: BigInt(attempt.amountMinor), currency: attempt.currency }),
    currency: attempt.currency,
    reference: paymentReference(attempt.id),
    whereToLook,
  }
  const id = randomUUID()
  await sql`
    insert into mail (id, dedupe_key, kind, recipient, brand_id, queued_at, payment_attempt_id, facts)
    values (${id}, ${`needs-review ${attempt.id}`}, 'needs-review', ${recipient}, ${brandId}, ${now}, ${attempt.id}, ${JSON.stringify(facts)})`.execute(
    db,
  )
  await enqueueMail(db, id, 'needs-review', now)
}
