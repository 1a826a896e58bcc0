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

/** Formats of a name id that may be an email. Okta and Google send emails as "unspecified", which an absent format means too. */
const EMAIL_FORMATS = /^urn:oasis:names:tc:SAML:(?:1\.[01]|2\.0):nameid-format:(?:emailAddress|unspecified)$/i

/** Names of what is said of the email: of Auth0 (`http://schemas.auth0.com/email_verified`) and Keycloak. */
const VERIFIED_ATTRIBUTE = /(?:^|\/)email_?verified$/i

/** Claims of an ID token, or of the user info. */
export type Claims = Readonly<Record<string, unknown>>

/**
 * What the claims say of whether the email is verified, in the provider's own spelling; undefined when they say nothing.
 * Entra ID says it of the email's domain, in `xms_edov`.
 */
const verificationOf = ({ email_verified: isVerified, xms_edov: isDomainVerified }: Claims): unknown =>
  isVerified === undefined ? isDomainVerified : isVerified

/** Cognito and Entra ID write true in these ways, too. */
const TRUE = new Set<unknown>([true, 'true', 1, '1'])

/** Whether an ID token alone decides about the email: when it has one and says whether it is verified, or nobody needs to say so. */
export const isEmailComplete = (claims: Claims, { trustEmail }: Pick<Organization, 'trustEmail'>): boolean =>
  claims['email'] !== undefined && (trustEmail || verificationOf(claims) !== undefined)

/** The email of OpenID claims; null unless it is verified, or trusted where nothing says so. Azure AD B2C has several in `emails`. */
export const verifiedEmailOf = (claims: Claims, { trustEmail, domains }: Pick<Organization, 'trustEmail' | 'domains'>): string | null => {
  const { email, emails } = claims
  const verification = verificationOf(claims)
  if (!TRUE.has(verification) && !(trustEmail && verification === undefined)) return null
  const values = email === undefined && Array.isArray(emails) ? emails : [email]
  return chooseEmail(values.flatMap(toEmail), domains)
}

/** What a verified assertion says of a person. */
interface Assertion {
  readonly nameID?: unknown
  readonly nameIDFormat?: unknown
  /** The values of each attribute: a text, or several. */
  readonly attributes?: unknown
}

/**
 * The email of an assertion: of the first attribute that has a value, else the name id; null when the provider says that it is not
 * verified. Another attribute is never asked when that one is not of the organization, because people may write some of them themselves. Of
 * several values the first in the organization's domains counts, else the first of all, which is refused later. An attribute that the
 * organization names stands for all others and for the name id.
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
  if (emailAttribute !== null) return chooseEmail(valuesOf(emailAttribute), domains)
  if (entries.some(([name, values]) => VERIFIED_ATTRIBUTE.test(name) && values.includes('false'))) return null
  const emails = EMAIL_ATTRIBUTES.map(valuesOf).find((values) => values.length > 0)
  const isEmail = nameIDFormat === undefined || EMAIL_FORMATS.test(String(nameIDFormat))
  return chooseEmail(emails ?? (isEmail ? toEmail(nameID) : []), domains)
}

/** A list of the trimmed text; an empty list for anything but a text. Its form is not checked. */
const toEmail = (value: unknown): readonly string[] => (typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [])

/** The first email in the organization's domains, else the first, which is refused later with its own reason; null for none. */
const chooseEmail = (emails: readonly string[], domains: readonly string[]): string | null =>
  emails.find((email) => domains.includes(email.split('@')[1]?.toLowerCase() ?? '')) ?? emails[0] ?? null
