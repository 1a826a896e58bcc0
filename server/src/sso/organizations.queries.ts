import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** An organization with single sign-on. The portal and the command line call it company. */
export interface Organization {
  readonly id: number
  readonly name: string
  readonly resellerId: number
  readonly brandId: number
  readonly kind: 'oidc' | 'saml'
  readonly issuer: string
  readonly clientId: string | null
  readonly clientSecret: Buffer | null
  readonly trustEmail: boolean
  readonly signOnUrl: string | null
  /** The SAML attribute with the email; null for the usual ones. */
  readonly emailAttribute: string | null
  readonly certificates: readonly string[]
  readonly domains: readonly string[]
  readonly isBlocked: boolean
  readonly changedAt: Date
}

/** All columns of an organization in one query, so that every organization takes the same time. */
const ORGANIZATION_COLUMNS = sql`o.id, o.name, o.reseller_id as "resellerId", o.brand_id as "brandId", o.kind, o.issuer, o.client_id as "clientId",
  o.client_secret as "clientSecret", o.trust_email as "trustEmail", o.sign_on_url as "signOnUrl", o.certificates, o.email_attribute as "emailAttribute",
  o.blocked_at is not null as "isBlocked", o.changed_at as "changedAt",
  array(select d.domain from sso_domain d where d.organization_id = o.id order by d.domain) as domains`

/**
 * The organization with this name on a host, blocked or not. `isKnown` is true when the name is a brand's or reseller's.
 * @param hostBrand the brand of the host; undefined on a host of every brand
 */
export const findOrganization = async (
  db: Db,
  name: string,
  hostBrand: number | undefined,
): Promise<{ organization: Organization | undefined; isKnown: boolean }> => {
  const brand = hostBrand ?? null
  const { rows } = await sql<Organization>`
    select ${ORGANIZATION_COLUMNS} from sso_organization o
    where lower(o.name) = lower(${name}) and (${brand}::int is null or o.brand_id = ${brand}::int)`.execute(db)
  const { rows: owners } = await sql`
    select 1 from brand b join reseller r on r.id = b.reseller_id
    where lower(${name}) in (lower(b.name), lower(r.name), lower(r.legal_name)) and (${brand}::int is null or b.id = ${brand}::int)
    limit 1`.execute(db)
  return { organization: rows[0], isKnown: owners.length > 0 }
}

/**
 * The name of the organization that lists a domain and is not blocked.
 * Undefined without one, or when several list the domain and the host does not decide.
 */
export const organizationNameOfDomain = async (db: Db, domain: string, hostBrand: number | undefined): Promise<string | undefined> => {
  const brand = hostBrand ?? null
  const { rows } = await sql<{ name: string }>`
    select o.name from sso_domain d join sso_organization o on o.reseller_id = d.reseller_id and o.id = d.organization_id
    where d.domain = ${domain} and o.blocked_at is null and (${brand}::int is null or d.brand_id = ${brand}::int)
    limit 2`.execute(db)
  return rows.length === 1 ? rows[0]?.name : undefined
}

/** An organization by its id; undefined when it is blocked or gone. */
export const findActiveOrganization = async (db: Db, id: number): Promise<Organization | undefined> => {
  const { rows } =
    await sql<Organization>`select ${ORGANIZATION_COLUMNS} from sso_organization o where o.id = ${id} and o.blocked_at is null`.execute(db)
  return rows[0]
}
