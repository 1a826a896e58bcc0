import type { Db, Store } from '../../db/database.ts'
import type { Keys } from '../../kit/keys.ts'
import { setPayTokens } from '../../payments/payment-link.queries.ts'

const PAGE_ROWS = 5_000

/**
 * Replaces the stored token hash of every invoice with a payment link by that of these keys, page by page. Links that were sent become
 * void.
 */
export const renewPayLinks = async (store: Store, keys: Keys, resellerIds: readonly number[]): Promise<void> => {
  for (const resellerId of resellerIds) {
    let after: number | null = 0
    while (after !== null) after = await renewPage(store, keys, resellerId, after)
  }
}

/** Replaces the tokens of the next page of invoices, and commits. @returns the last invoice's id; null when there are no more */
const renewPage = (store: Store, keys: Keys, resellerId: number, after: number): Promise<number | null> =>
  store.transact(
    { role: 'counterfoil_reseller', resellerId },
    async (db) => {
      const page = await findLinkedInvoices(db, after)
      await setPayTokens(db, keys, page)
      return page.length < PAGE_ROWS ? null : (page.at(-1)?.invoice ?? null)
    },
    { pool: 'background' },
  )

/** The next invoices, by id, that have a payment link: at most PAGE_ROWS. */
const findLinkedInvoices = (db: Db, after: number): Promise<{ customer: number; invoice: number }[]> =>
  db
    .selectFrom('invoice')
    .select(['customer_id as customer', 'id as invoice'])
    .where('pay_token_hash', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE_ROWS)
    .execute()
