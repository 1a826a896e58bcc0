import { type CacheProvider, generateServiceProviderMetadata, type Profile, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import type { Keys } from '../kit/keys.ts'
import type { Company } from './organizations.queries.ts'
import { type Identity, SignOnFailed } from './identity.ts'
import { secretsOf } from './secrets.ts'

/** Clocks of others may be this much off. */
const SKEW_MS = 30_000
/** An assertion that was made longer ago than this is not believed, whatever it says itself. */
const MOST_AGE_MS = 5 * 60_000

/** The name under which a company's provider knows this portal: one for each place that people sign in at. */
const samlEntityId = (origin: string): string => `${origin}/sso/metadata`

/** The address that the provider posts its answer to. */
const samlAnswerAddress = (origin: string): string => `${origin}/sso/callback`

/** What a provider is told of this portal (SAML metadata). */
export const portalMetadata = (origin: string): string =>
  generateServiceProviderMetadata({
    issuer: samlEntityId(origin),
    callbackUrl: samlAnswerAddress(origin),
    identifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    wantAssertionsSigned: true,
  })

/** Where the browser goes to ask a company's provider, by the redirect binding. */
export const samlAddress = (keys: Keys, company: Company, state: string, origin: string): Promise<string> =>
  provider(company, secretsOf(keys, state).requestId, origin).getAuthorizeUrlAsync(state, undefined, {})

/**
 * Whom a posted answer names. The assertion must be signed by a key of the company's metadata, be meant for this portal, this address
 * and this very request, and be fresh; nothing outside what was signed is read.
 * @throws SignOnFailed for anything else
 */
export const samlIdentity = async (keys: Keys, company: Company, state: string, origin: string, answer: string): Promise<Identity> => {
  const { requestId } = secretsOf(keys, state)
  const profile = await believed(company, requestId, origin, answer)
  if (profile.issuer !== company.issuer) throw new SignOnFailed('unbelievable', 'another issuer')
  if (!isConfirmed(profile, requestId, samlAnswerAddress(origin))) throw new SignOnFailed('unbelievable', 'meant for somebody else')
  const subject = profile.nameID
  if (!subject) throw new SignOnFailed('unbelievable', 'no name id')
  if (profile.nameIDFormat === TRANSIENT) throw new SignOnFailed('unbelievable', 'a transient name id names nobody')
  return { issuer: company.issuer, subject, email: emailOf(profile) }
}

const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
]

const believed = async (company: Company, requestId: string, origin: string, answer: string): Promise<Profile> => {
  const xml = Buffer.from(answer, 'base64').toString('utf8')
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new SignOnFailed('unbelievable', 'the answer declares a document type')
  if (/xmldsig#(?:[a-z]+-)?sha1["']/.test(xml)) throw new SignOnFailed('unbelievable', 'the answer is signed with SHA-1')
  try {
    const { profile } = await provider(company, requestId, origin).validatePostResponseAsync({ SAMLResponse: answer })
    if (profile !== null) return profile
  } catch (error) {
    const isDenied = error instanceof Error && error.constructor.name === 'SamlStatusError'
    throw new SignOnFailed(isDenied ? 'denied' : 'unbelievable', isDenied ? 'the provider answered with an error' : 'not a valid answer', {
      cause: error,
    })
  }
  throw new SignOnFailed('denied', 'the provider named nobody')
}

const provider = (company: Company, requestId: string, origin: string): SAML =>
  new SAML({
    entryPoint: company.signOnUrl ?? '',
    idpCert: [...company.certificates],
    idpIssuer: company.issuer,
    issuer: samlEntityId(origin),
    audience: samlEntityId(origin),
    callbackUrl: samlAnswerAddress(origin),
    generateUniqueId: () => requestId,
    cacheProvider: onlyRequest(requestId),
    validateInResponseTo: ValidateInResponseTo.always,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: SKEW_MS,
    maxAssertionAgeMs: MOST_AGE_MS,
    identifierFormat: null,
    disableRequestedAuthnContext: true, // how a company signs its people in is its own affair
  })

/** The one request that an answer may be to. That it is answered once, and in time, the attempt's own row says. */
const onlyRequest = (requestId: string): CacheProvider => ({
  saveAsync: async (_, value) => ({ value, createdAt: Date.now() }),
  getAsync: async (key) => (key === requestId ? new Date().toISOString() : null),
  removeAsync: async () => null,
})

interface Node {
  readonly $?: Readonly<Record<string, string>>
}
interface Confirmation extends Node {
  readonly SubjectConfirmationData?: readonly Node[]
}
interface ParsedAssertion {
  readonly Assertion?: { readonly Subject?: readonly { readonly SubjectConfirmation?: readonly Confirmation[] }[] }
}

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** Does what was signed say that it answers this request, at this address, in time? The answer around it says so too, but nobody signed that. */
const isConfirmed = (profile: Profile, requestId: string, address: string): boolean => {
  const { Assertion } = (profile.getAssertion?.() ?? {}) as ParsedAssertion
  const confirmations = Assertion?.Subject?.[0]?.SubjectConfirmation ?? []
  return confirmations.some(({ $: how, SubjectConfirmationData: [data] = [] }) => {
    const { InResponseTo, Recipient, NotOnOrAfter = '' } = data?.$ ?? {}
    const endsAt = Date.parse(NotOnOrAfter)
    return how?.['Method'] === BEARER && InResponseTo === requestId && Recipient === address && endsAt + SKEW_MS > Date.now()
  })
}

/** A company's own provider vouches for the emails of that company's domains, which are the only ones that count. */
const emailOf = (profile: Profile): string | null => {
  for (const name of EMAIL_ATTRIBUTES) if (typeof profile[name] === 'string') return profile[name]
  return profile.nameIDFormat === EMAIL_FORMAT ? profile.nameID : null
}
