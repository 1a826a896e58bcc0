import { sql } from 'kysely'
import { writeAudit } from '../../audit/audit.ts'
import type { Db } from '../../db/database.ts'
import type { Keys } from '../../kit/keys.ts'
import type { LinkToken } from '../../session/one-time-links.ts'
import { markLinkUsed, verifyLink } from '../../session/one-time-links.queries.ts'
import { type SignInUser, type SupportSession, userById } from '../../session/session.queries.ts'

/**
 * Finds the id of the customer, of those for whom the user may act, whose external id is `ref`, else whose id is; undefined without one.
 */
export const findCustomerToActFor = async (db: Db, userId: string, ref: string): Promise<number | undefined> => {
  const found = await db
    .selectFrom('user_customer')
    .innerJoin('app_user', 'app_user.id', 'user_customer.user_id')
    .innerJoin('customer', (join) =>
      join.onRef('customer.id', '=', 'user_customer.customer_id').onRef('customer.reseller_id', '=', 'app_user.reseller_id'),
    )
    .select('customer.id')
    .where('user_customer.user_id', '=', userId)
    .where((is) => is.or([is('customer.external_id', '=', ref), is(sql<string>`customer.id::text`, '=', ref)]))
    .orderBy(sql`customer.external_id is not distinct from ${ref}`, 'desc')
    .executeTakeFirst()
  return found?.id
}

/** The domain of a brand; null where it has none. */
export const domainOfBrand = async (db: Db, brandId: number): Promise<string | null> => {
  const { domain } = await db.selectFrom('brand').select('domain').where('id', '=', brandId).executeTakeFirstOrThrow()
  return domain
}

/**
 * Marks a support link as used and audits the use. No session is opened yet.
 * @param at the brand of the host, if any, and the network address
 * @returns the user, and the properties of the session that the caller is to open; undefined when the link is not valid here
 */
export const redeemSupportLink = async (
  db: Db,
  keys: Keys,
  token: LinkToken,
  at: { readonly hostBrand: number | undefined; readonly source: string },
  now: Date,
): Promise<{ user: SignInUser; support: SupportSession } | undefined> => {
  const link = await verifyLink(db, 'support', token, now)
  if (link === undefined || link.supporter === null || (at.hostBrand !== undefined && at.hostBrand !== link.brandId)) return undefined
  if (!(await markLinkUsed(db, 'support', { id: token.id, userId: link.id }, now))) return undefined
  const user = await userById(db, link.id)
  if (user === undefined) return undefined
  const { supporter, onlyCustomerId } = link
  await writeAudit(db, keys, now, {
    resellerId: user.resellerId,
    action: 'support.link-redeemed',
    actor: { kind: 'support', name: supporter, inNameOf: { id: user.id, name: user.displayName } },
    subject: `user ${user.id}`,
    source: at.source,
    ...(onlyCustomerId === null ? {} : { customerId: onlyCustomerId }),
  })
  return { user, support: { supporter, onlyCustomerId } }
}
