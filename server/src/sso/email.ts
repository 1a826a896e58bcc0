import type { Organization } from './organizations.queries.ts'

/** Names of the email in assertions, in lower case: plain ones, those of LDAP, and those of Microsoft's claims. */
const EMAIL_ATTRIBUTES = [
  'email',
  'emailaddress',
  'email_address',
  'mail',
  'user.email',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'urn:oid:1.2.840.113549.1.9.1',
  'urn:mace:dir:attribute-def:mail',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/claims/emailaddress',
]
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

/** The email of OpenID claims, when it is verified. Amazon Cognito and Azure write that as a text. */
export const verifiedEmailOf = (
  { email, email_verified: isVerified }: Readonly<Record<string, unknown>>,
  { trustEmail }: Pick<Organization, 'trustEmail'>,
): string | null => {
  if (typeof email !== 'string') return null
  const isTrusted = trustEmail && isVerified === undefined
  return isVerified === true || isVerified === 'true' || isTrusted ? email.trim() : null
}

/** What a verified assertion says of a person. */
interface Assertion {
  readonly nameID?: unknown
  readonly nameIDFormat?: unknown
  /** The values of each attribute: a text, or several. */
  readonly attributes?: unknown
}

/**
 * The email of an assertion: of the first attribute that has a value, else the name id. Another attribute is never asked when that one is
 * not of the organization, because people may write some of them themselves. Of its values the first in the organization's domains
 * counts, whose provider is trusted for these alone. An attribute that the organization names stands for all others and for the name id.
 */
export const samlEmailOf = (
  { nameID, nameIDFormat, attributes }: Assertion,
  { emailAttribute, domains }: Pick<Organization, 'emailAttribute' | 'domains'>,
): string | null => {
  const entries = Object.entries(attributes ?? {}).map(([name, value]) => [name.trim(), [value].flat().flatMap(toEmail)] as const)
  const valuesOf = (wanted: string): readonly string[] => {
    const named = entries.filter(([name, values]) => name.toLowerCase() === wanted.toLowerCase() && values.length > 0)
    return (named.find(([name]) => name === wanted) ?? named[0])?.[1] ?? []
  }
  const names = emailAttribute === null ? EMAIL_ATTRIBUTES : [emailAttribute]
  const attribute = names.map(valuesOf).find((values) => values.length > 0)
  const emails = attribute ?? (emailAttribute === null && nameIDFormat === EMAIL_FORMAT ? toEmail(nameID) : [])
  return emails.find((email) => domains.includes(email.split('@')[1]?.toLowerCase() ?? '')) ?? emails[0] ?? null
}

const toEmail = (value: unknown): readonly string[] => (typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [])
