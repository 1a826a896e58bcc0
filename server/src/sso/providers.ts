import type { Keys } from '../kit/keys.ts'
import type { Organization } from './organizations.queries.ts'
import type { Identity } from './identity.ts'
import type { OpenIdClient } from './openid.ts'

/** The ways to companies' identity providers and back. All of them throw SignOnFailed for what cannot be believed. */
export interface IdentityProviders {
  /** Where the browser goes to sign in at its company; `origin` is where it sees the portal. */
  authorizationUrl(organization: Organization, state: string, origin: string): Promise<string>
  /** Whom an OpenID provider names, after it sent the browser back to `returned`. */
  openIdIdentity(organization: Organization, state: string, callbackUrl: URL): Promise<Identity>
  /** Whom a SAML provider's posted answer names. */
  samlIdentity(organization: Organization, state: string, origin: string, response: string): Promise<Identity>
  /** What a SAML provider is told of this portal. */
  metadata(origin: string): Promise<string>
}

const loadSaml = () => import('./saml.ts')

/** Each way brings its library along when the first person takes it: many servers have no company. */
export const identityProviders = (keys: Keys, now: () => number): IdentityProviders => {
  let openId: Promise<OpenIdClient> | undefined
  const loadOpenId = (): Promise<OpenIdClient> =>
    (openId ??= import('./openid.ts').then(({ openIdClient: openIdConnect }) => openIdConnect(keys, now)))
  return {
    authorizationUrl: async (organization, state, origin) =>
      organization.kind === 'oidc'
        ? (await loadOpenId()).authorizationUrl(organization, state, `${origin}/sso/callback`)
        : (await loadSaml()).samlRequestUrl(keys, organization, state, origin),
    openIdIdentity: async (organization, state, callbackUrl) => (await loadOpenId()).fetchIdentity(organization, state, callbackUrl),
    samlIdentity: async (organization, state, origin, response) =>
      (await loadSaml()).samlIdentity(keys, organization, state, origin, response),
    metadata: async (origin) => (await loadSaml()).portalMetadata(origin),
  }
}
