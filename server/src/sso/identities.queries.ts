import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Organization } from './organizations.queries.ts'
import { type Identity, SignOnFailed } from './identity.ts'

/** Printable ASCII, which every system compares alike. */
const PLAIN_EMAIL = /^[!-~]+@([!-?A-~]+)$/

/** A valid subject: 1 to 256 characters without control characters. */
const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,256}$/u

/**
 * Finds the user to whom an identity is linked by issuer and subject. The first time, links it to the user of the organization's brand who
 * has the identity's verified email, in a domain of the organization; after that the email no longer matters.
 * @param onLink called in the transaction that links the identity
 * @returns the user's id
 * @throws SignOnFailed when there is no such user, or more than one
 */
export const findOrLinkUser = async (
  db: Db,
  organization: Organization,
  identity: Identity,
  now: Date,
  onLink: (userId: string) => Promise<void>,
): Promise<string> => {
  if (!SUBJECT.test(identity.subject)) throw new SignOnFailed('unbelievable', 'a subject that cannot be kept')
  const linked = await findLinkedUser(db, organization, identity)
  if (linked !== undefined) {
    if (!linked.isAllowed) throw new SignOnFailed('stranger', 'the user is disabled or of another brand')
    return linked.userId
  }
  const userId = await requireUserByEmail(db, organization, identity.email)
  const { rows } = await sql`
    insert into sso_identity (reseller_id, organization_id, issuer, subject, user_id, linked_at)
    values (${organization.resellerId}, ${organization.id}, ${identity.issuer}, ${identity.subject}, ${userId}, ${now})
    on conflict do nothing returning 1`.execute(db)
  // The user may be linked to another person of the organization, or the same person may have signed on twice at once.
  if ((await findLinkedUser(db, organization, identity))?.userId === userId) {
    if (rows.length > 0) await onLink(userId)
    return userId
  }
  throw new SignOnFailed('stranger', 'the user is linked to another person of the company')
}

/** The user to whom an identity is linked, and whether the user may sign in here; undefined when none is linked. */
const findLinkedUser = async (
  db: Db,
  { id, brandId, resellerId }: Organization,
  { issuer, subject }: Identity,
): Promise<{ userId: string; isAllowed: boolean } | undefined> => {
  const { rows } = await sql<{ userId: string; isAllowed: boolean }>`
    select u.id as "userId", u.disabled_at is null and u.brand_id = ${brandId} and u.reseller_id = ${resellerId} as "isAllowed"
    from sso_identity i join app_user u on u.id = i.user_id
    where i.reseller_id = ${resellerId} and i.organization_id = ${id} and i.issuer = ${issuer} and i.subject = ${subject}`.execute(db)
  return rows[0]
}

/** The id of the user of the organization's brand with this email. @throws SignOnFailed without such a user, or with more than one */
const requireUserByEmail = async (db: Db, { brandId, resellerId, domains }: Organization, email: string | null): Promise<string> => {
  if (email === null) throw new SignOnFailed('stranger', 'the provider vouches for no email')
  const domain = PLAIN_EMAIL.exec(email)?.[1]?.toLowerCase() ?? ''
  if (!domains.includes(domain)) throw new SignOnFailed('stranger', 'the email is in none of the company’s domains')
  const { rows } = await sql<{ id: string }>`
    select id from app_user
    where reseller_id = ${resellerId} and brand_id = ${brandId} and lower(email) = lower(${email}) and disabled_at is null limit 2`.execute(
    db,
  )
  const [user] = rows
  if (user === undefined) throw new SignOnFailed('stranger', 'no user of the brand has the email')
  if (rows.length > 1) throw new SignOnFailed('stranger', 'more than one user of the brand has the email')
  return user.id
}
