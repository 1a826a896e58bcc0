import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** An organization as operators see it; nobody sees the client's secret. */
export interface StoredOrganization {
  readonly id: number
  readonly name: string
  readonly brandId: number
  readonly brandName: string
  readonly kind: 'oidc' | 'saml'
  readonly issuer: string
  readonly clientId: string | null
  readonly hasSecret: boolean
  readonly trustEmail: boolean
  readonly signOnUrl: string | null
  readonly emailAttribute: string | null
  readonly certificates: readonly string[]
  readonly domains: readonly string[]
  readonly isBlocked: boolean
  readonly people: number
  readonly changedAt: Date
}

/** The settings of an organization. A client secret of null keeps the stored one. */
export interface OrganizationSettings {
  readonly resellerId: number
  readonly brandId: number
  readonly name: string
  readonly kind: 'oidc' | 'saml'
  readonly issuer: string
  readonly clientId: string | null
  readonly clientSecret: Buffer | null
  readonly trustEmail: boolean
  readonly signOnUrl: string | null
  readonly emailAttribute: string | null
  readonly certificates: readonly string[]
  readonly domains: readonly string[]
  readonly isBlocked: boolean
}

/** The reseller's organizations, or the one with this name, ignoring case. Runs as counterfoil_reseller. */
export const organizationsOf = async (db: Db, resellerId: number, name?: string): Promise<StoredOrganization[]> => {
  const { rows } = await sql<StoredOrganization>`
    select o.id, o.name, o.brand_id as "brandId", b.name as "brandName", o.kind, o.issuer, o.client_id as "clientId",
      o.client_secret is not null as "hasSecret", o.trust_email as "trustEmail", o.sign_on_url as "signOnUrl", o.certificates,
      o.email_attribute as "emailAttribute",
      array(select d.domain from sso_domain d where d.organization_id = o.id order by d.domain) as domains,
      o.blocked_at is not null as "isBlocked", (select count(*)::int from sso_identity i where i.organization_id = o.id) as people, o.changed_at as "changedAt"
    from sso_organization o join brand b on b.id = o.brand_id
    where o.reseller_id = ${resellerId} and (${name ?? null}::text is null or lower(o.name) = lower(${name ?? null}::text))
    order by lower(o.name)`.execute(db)
  return rows
}

/** Whether another reseller has an organization with this name; names are unique. Runs as counterfoil_system. */
export const isNameTakenElsewhere = async (db: Db, resellerId: number, name: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from sso_organization where lower(name) = lower(${name}) and reseller_id <> ${resellerId}`.execute(db)
  return rows.length > 0
}

/**
 * Inserts or updates the reseller's organization with this name, and replaces its domains; returns its id. Runs as counterfoil_reseller.
 */
export const storeOrganization = async (db: Db, organization: OrganizationSettings, now: Date): Promise<number> => {
  const { resellerId, brandId, name, kind, issuer, clientId, clientSecret, trustEmail, signOnUrl, certificates, domains, isBlocked } =
    organization
  const { emailAttribute } = organization
  const blockedAt = isBlocked ? now : null
  const certificateList = [...certificates]
  const { rows: updated } = await sql<{ id: number }>`
    update sso_organization set brand_id = ${brandId}, name = ${name}, kind = ${kind}, issuer = ${issuer}, client_id = ${clientId},
      client_secret = coalesce(${clientSecret}::bytea, client_secret), trust_email = ${trustEmail}, sign_on_url = ${signOnUrl},
      email_attribute = ${emailAttribute}, certificates = ${certificateList}::text[], blocked_at = ${blockedAt}, changed_at = ${now}
    where reseller_id = ${resellerId} and lower(name) = lower(${name}) returning id`.execute(db)
  const id = updated[0]?.id ?? (await insertOrganization(db, organization, now))
  await sql`delete from sso_domain where reseller_id = ${resellerId} and organization_id = ${id}`.execute(db)
  await sql`
    insert into sso_domain (reseller_id, organization_id, brand_id, domain)
    select ${resellerId}, ${id}, ${brandId}, domain from unnest(${[...domains]}::text[]) as domain`.execute(db)
  return id
}

/** Inserts an organization without its domains; returns its id. */
const insertOrganization = async (db: Db, organization: OrganizationSettings, now: Date): Promise<number> => {
  const { resellerId, brandId, name, kind, issuer, clientId, clientSecret, trustEmail, signOnUrl, certificates, isBlocked } = organization
  const { emailAttribute } = organization
  const { rows } = await sql<{ id: number }>`
    insert into sso_organization (reseller_id, brand_id, name, kind, issuer, client_id, client_secret, trust_email, sign_on_url, email_attribute, certificates, blocked_at, changed_at)
    values (${resellerId}, ${brandId}, ${name}, ${kind}, ${issuer}, ${clientId}, ${clientSecret}, ${trustEmail}, ${signOnUrl},
      ${emailAttribute}, ${[...certificates]}::text[], ${isBlocked ? now : null}, ${now})
    returning id`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a company was not stored')
  return row.id
}

/** The name of the brand's organization, blocked or not, that lists a domain; undefined without one. */
export const organizationOfDomain = async (db: Db, resellerId: number, brandId: number, domain: string): Promise<string | undefined> => {
  const { rows } = await sql<{ name: string }>`
    select o.name from sso_domain d join sso_organization o on o.id = d.organization_id
    where d.reseller_id = ${resellerId} and d.brand_id = ${brandId} and d.domain = ${domain}`.execute(db)
  return rows[0]?.name
}

/** Deletes an organization with its domains and its links to users; the users stay. @returns whether there was one */
export const removeOrganization = async (db: Db, resellerId: number, name: string): Promise<boolean> => {
  const { rows } =
    await sql`delete from sso_organization where reseller_id = ${resellerId} and lower(name) = lower(${name}) returning 1`.execute(db)
  return rows.length > 0
}

/** Unlinks a user, so that the next person with the user's email is linked instead. @returns whether there was a link */
export const unlinkUser = async (db: Db, resellerId: number, organization: string, username: string): Promise<boolean> => {
  const { rows } = await sql`
    delete from sso_identity i using sso_organization o, app_user u
    where i.reseller_id = ${resellerId} and o.reseller_id = ${resellerId} and o.id = i.organization_id and u.id = i.user_id
      and lower(o.name) = lower(${organization}) and lower(u.username) = lower(${username})
    returning 1`.execute(db)
  return rows.length > 0
}

/** Links a user to a person of the organization without matching an email. Replaces the person whom the user was linked to. */
export const linkIdentity = async (
  db: Db,
  link: { resellerId: number; organizationId: number; issuer: string; subject: string; userId: string },
  now: Date,
): Promise<void> => {
  await sql`
    insert into sso_identity (reseller_id, organization_id, issuer, subject, user_id, linked_at)
    values (${link.resellerId}, ${link.organizationId}, ${link.issuer}, ${link.subject}, ${link.userId}, ${now})
    on conflict (organization_id, user_id) do update set issuer = excluded.issuer, subject = excluded.subject`.execute(db)
}
