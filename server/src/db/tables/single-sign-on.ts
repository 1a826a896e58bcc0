import type { NonNullColumn, BooleanColumn } from './columns.ts'

export interface SsoOrganizationTable {
  reseller_id: number
  id: NonNullColumn<number>
  brand_id: number
  name: string
  kind: 'oidc' | 'saml'
  issuer: string
  client_id: string | null
  client_secret: Buffer | null
  trust_email: BooleanColumn
  sign_on_url: string | null
  email_attribute: string | null
  certificates: NonNullColumn<string[]>
  blocked_at: Date | null
  changed_at: Date
}

export interface SsoDomainTable {
  reseller_id: number
  organization_id: number
  brand_id: number
  domain: string
}

export interface SsoIdentityTable {
  reseller_id: number
  organization_id: number
  issuer: string
  subject: string
  user_id: string
  linked_at: Date
}

export interface SsoAttemptTable {
  state_hash: Buffer
  reseller_id: number
  organization_id: number
  browser_hash: Buffer
  origin: string
  target: string | null
  expires_at: Date
  user_id: string | null
}

export interface SignOnCodeTable {
  code_hash: Buffer
  user_id: string
  redirect_uri: string
  expires_at: Date
  used_at: Date | null
}
