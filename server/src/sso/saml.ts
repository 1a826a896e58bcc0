import { type CacheProvider, generateServiceProviderMetadata, type Profile, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import type { Keys } from '../kit/keys.ts'
import type { Organization } from './organizations.queries.ts'
import { type Identity, SignOnFailed } from './identity.ts'
import { attemptSecrets } from './secrets.ts'

/** Clocks of others may be this much off. */
const CLOCK_SKEW_MS = 30_000
/** An assertion that was made longer ago than this is not believed, whatever it says itself. */
const MAX_ASSERTION_AGE_MS = 5 * 60_000

/** The name under which a company's provider knows this portal: one for each place that people sign in at. */
const samlEntityId = (origin: string): string => `${origin}/sso/metadata`

/** The address that the provider posts its answer to. */
const samlCallbackUrl = (origin: string): string => `${origin}/sso/callback`

/** What a provider is told of this portal (SAML metadata). */
export const portalMetadata = (origin: string): string =>
  generateServiceProviderMetadata({
    issuer: samlEntityId(origin),
    callbackUrl: samlCallbackUrl(origin),
    identifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    wantAssertionsSigned: true,
  })

/** Where the browser goes to ask a company's provider, by the redirect binding. */
export const samlRequestUrl = (keys: Keys, organization: Organization, state: string, origin: string): Promise<string> =>
  createSaml(organization, attemptSecrets(keys, state).requestId, origin).getAuthorizeUrlAsync(state, undefined, {})

/**
 * Whom a posted answer names. The assertion must be signed by a key of the company's metadata, be meant for this portal, this address
 * and this very request, and be fresh; nothing outside what was signed is read.
 * @throws SignOnFailed for anything else
 */
export const samlIdentity = async (
  keys: Keys,
  organization: Organization,
  state: string,
  origin: string,
  response: string,
): Promise<Identity> => {
  const { requestId } = attemptSecrets(keys, state)
  const profile = await verifyResponse(organization, requestId, origin, response)
  if (profile.issuer !== organization.issuer) throw new SignOnFailed('unbelievable', 'another issuer')
  if (!isConfirmed(profile, requestId, samlCallbackUrl(origin))) throw new SignOnFailed('unbelievable', 'meant for somebody else')
  const subject = profile.nameID
  if (!subject) throw new SignOnFailed('unbelievable', 'no name id')
  if (profile.nameIDFormat === TRANSIENT) throw new SignOnFailed('unbelievable', 'a transient name id names nobody')
  return { issuer: organization.issuer, subject, email: emailOf(profile) }
}

const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
]

const verifyResponse = async (organization: Organization, requestId: string, origin: string, response: string): Promise<Profile> => {
  const xml = Buffer.from(response, 'base64').toString('utf8')
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new SignOnFailed('unbelievable', 'the answer declares a document type')
  if (/xmldsig#(?:[a-z]+-)?sha1["']/.test(xml)) throw new SignOnFailed('unbelievable', 'the answer is signed with SHA-1')
  try {
    const { profile } = await createSaml(organization, requestId, origin).validatePostResponseAsync({ SAMLResponse: response })
    if (profile !== null) return profile
  } catch (error) {
    const isDenied = error instanceof Error && error.constructor.name === 'SamlStatusError'
    throw new SignOnFailed(isDenied ? 'denied' : 'unbelievable', isDenied ? 'the provider answered with an error' : 'not a valid answer', {
      cause: error,
    })
  }
  throw new SignOnFailed('denied', 'the provider named nobody')
}

const createSaml = (organization: Organization, requestId: string, origin: string): SAML =>
  new SAML({
    entryPoint: organization.signOnUrl ?? '',
    idpCert: [...organization.certificates],
    idpIssuer: organization.issuer,
    issuer: samlEntityId(origin),
    audience: samlEntityId(origin),
    callbackUrl: samlCallbackUrl(origin),
    generateUniqueId: () => requestId,
    cacheProvider: singleRequestCache(requestId),
    validateInResponseTo: ValidateInResponseTo.always,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    maxAssertionAgeMs: MAX_ASSERTION_AGE_MS,
    identifierFormat: null,
    disableRequestedAuthnContext: true, // how a company signs its people in is its own affair
  })

/** The one request that an answer may be to. That it is answered once, and in time, the attempt's own row says. */
const singleRequestCache = (requestId: string): CacheProvider => ({
  saveAsync: async (_, value) => ({ value, createdAt: Date.now() }),
  getAsync: async (key) => (key === requestId ? new Date().toISOString() : null),
  removeAsync: async () => null,
})

interface XmlNode {
  readonly $?: Readonly<Record<string, string>>
}
interface Confirmation extends XmlNode {
  readonly SubjectConfirmationData?: readonly XmlNode[]
}
interface ParsedAssertion {
  readonly Assertion?: { readonly Subject?: readonly { readonly SubjectConfirmation?: readonly Confirmation[] }[] }
}

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** Does what was signed say that it answers this request, at this address, in time? The answer around it says so too, but nobody signed that. */
const isConfirmed = (profile: Profile, requestId: string, callbackUrl: string): boolean => {
  const { Assertion } = (profile.getAssertion?.() ?? {}) as ParsedAssertion
  const confirmations = Assertion?.Subject?.[0]?.SubjectConfirmation ?? []
  return confirmations.some(({ $: attributes, SubjectConfirmationData: [data] = [] }) => {
    const { InResponseTo, Recipient, NotOnOrAfter = '' } = data?.$ ?? {}
    const expiresAt = Date.parse(NotOnOrAfter)
    return (
      attributes?.['Method'] === BEARER && InResponseTo === requestId && Recipient === callbackUrl && expiresAt + CLOCK_SKEW_MS > Date.now()
    )
  })
}

/** A company's own provider vouches for the emails of that company's domains, which are the only ones that count. */
const emailOf = (profile: Profile): string | null => {
  for (const name of EMAIL_ATTRIBUTES) if (typeof profile[name] === 'string') return profile[name]
  return profile.nameIDFormat === EMAIL_FORMAT ? profile.nameID : null
}
