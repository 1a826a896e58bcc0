import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** An organization with single sign-on. The portal and the database call it company. */
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
  readonly certificates: readonly string[]
  readonly domains: readonly string[]
  readonly isBlocked: boolean
  readonly changedAt: Date
}

/** All columns of an organization in one query, so that every organization takes the same time. */
const ORGANIZATION_COLUMNS = sql`c.id, c.name, c.reseller_id as "resellerId", c.brand_id as "brandId", c.kind, c.issuer, c.client_id as "clientId",
  c.client_secret as "clientSecret", c.trust_email as "trustEmail", c.sign_on_url as "signOnUrl", c.certificates,
  c.blocked_at is not null as "isBlocked", c.changed_at as "changedAt",
  array(select d.domain from sso_domain d where d.company_id = c.id order by d.domain) as domains`

/**
 * The organization with this name on a host. `isKnown` is true when the name is a brand's or reseller's.
 * @param hostBrand the brand of the host; undefined on a host of every brand
 */
export const findOrganization = async (
  db: Db,
  name: string,
  hostBrand: number | undefined,
): Promise<{ organization: Organization | undefined; isKnown: boolean }> => {
  const brand = hostBrand ?? null
  const { rows } = await sql<Organization>`
    select ${ORGANIZATION_COLUMNS} from sso_company c
    where lower(c.name) = lower(${name}) and (${brand}::int is null or c.brand_id = ${brand}::int)`.execute(db)
  const { rows: owners } = await sql`
    select 1 from brand b join reseller r on r.id = b.reseller_id
    where lower(${name}) in (lower(b.name), lower(r.name), lower(r.company_name)) and (${brand}::int is null or b.id = ${brand}::int)
    limit 1`.execute(db)
  return { organization: rows[0], isKnown: owners.length > 0 }
}

/** The organization that lists a domain; undefined without one, or when several list it and the host does not decide. */
export const organizationNameOfDomain = async (db: Db, domain: string, hostBrand: number | undefined): Promise<string | undefined> => {
  const brand = hostBrand ?? null
  const { rows } = await sql<{ name: string }>`
    select c.name from sso_domain d join sso_company c on c.reseller_id = d.reseller_id and c.id = d.company_id
    where d.domain = ${domain} and c.blocked_at is null and (${brand}::int is null or d.brand_id = ${brand}::int)
    limit 2`.execute(db)
  return rows.length === 1 ? rows[0]?.name : undefined
}

/** An organization by its id, unless it is blocked. */
export const findActiveOrganization = async (db: Db, id: number): Promise<Organization | undefined> => {
  const { rows } =
    await sql<Organization>`select ${ORGANIZATION_COLUMNS} from sso_company c where c.id = ${id} and c.blocked_at is null`.execute(db)
  return rows[0]
}
