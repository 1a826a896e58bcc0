import { type CacheProvider, generateServiceProviderMetadata, type Profile, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import type { Keys } from '../kit/keys.ts'
import type { Organization } from './organizations.queries.ts'
import { samlEmailOf } from './email.ts'
import { type Identity, SignOnFailed } from './identity.ts'
import { attemptSecrets } from './secrets.ts'

/** Accepted clock skew. */
const CLOCK_SKEW_MS = 30_000
/** Older assertions are rejected, whatever expiry they state. */
const MAX_ASSERTION_AGE_MS = 5 * 60_000

/** The portal's SAML entity id, which is also the URL of its metadata, for one origin. */
const samlEntityId = (origin: string): string => `${origin}/sso/metadata`

/** The URL of the portal to which an organization's identity provider posts its SAML response. */
const samlCallbackUrl = (origin: string): string => `${origin}/sso/callback`

/** The XML of the portal's own SAML metadata, which an organization's provider is given. */
export const portalMetadata = (origin: string): string =>
  generateServiceProviderMetadata({
    issuer: samlEntityId(origin),
    callbackUrl: samlCallbackUrl(origin),
    identifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    wantAssertionsSigned: true,
  })

/** The URL of the provider's sign-on page with a request in it, to send the browser to (redirect binding). */
export const samlRequestUrl = (keys: Keys, organization: Organization, state: string, origin: string): Promise<string> =>
  createSaml(organization, attemptSecrets(keys, state).requestId, origin).getAuthorizeUrlAsync(state, undefined, {})

/**
 * The identity in a posted response. The assertion must be signed by a key of the organization's metadata, be addressed to this portal,
 * URL and request, and be fresh; only signed content is read.
 * @throws SignOnFailed for any other response
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
  return { issuer: organization.issuer, subject, email: samlEmailOf(profile, organization) }
}

const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/**
 * The person in a posted response (base64) whose signature, audience and time the library has checked.
 * @throws SignOnFailed: `denied` where the provider says so or names nobody, else `unbelievable`
 */
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

/** The SAML library set up for one organization and one request. Sends nothing. */
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
    disableRequestedAuthnContext: true, // the organization decides how its people authenticate
  })

/**
 * A cache for the library that knows one request id alone, so that only a response to that request is accepted.
 * Stores nothing; the attempt's row ensures that a response is used once and in time.
 */
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

/** Whether the signed assertion answers this request, at this URL, in time. The response around it says so as well, but is not signed. */
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
