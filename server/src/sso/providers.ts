import type { Clock } from '../kit/clock.ts'
import type { Keys } from '../kit/keys.ts'
import type { Organization } from './organizations.queries.ts'
import { type Identity, SignOnFailed } from './identity.ts'
import type { OpenIdClient } from './openid.ts'

/** The organizations' identity providers. Every method throws SignOnFailed when a response is not valid. */
export interface IdentityProviders {
  /** The URL to send the browser to; `origin` is the portal's origin in that browser. */
  authorizationUrl(organization: Organization, state: string, origin: string): Promise<string>
  /** The identity after an OpenID provider redirected back to `callbackUrl`. */
  openIdIdentity(organization: Organization, state: string, callbackUrl: URL): Promise<Identity>
  /** The identity in a posted SAML response. */
  samlIdentity(organization: Organization, state: string, origin: string, response: string): Promise<Identity>
  /** The portal's SAML metadata. */
  metadata(origin: string): Promise<string>
}

/** Loads the module for SAML with its library, once. */
const loadSaml = () => import('./saml.ts')

/** What asks the identity providers of both protocols, whose libraries are loaded on first use: many servers have no organization. */
export const identityProviders = (keys: Keys, clock: Clock): IdentityProviders => {
  let openId: Promise<OpenIdClient> | undefined
  const loadOpenId = (): Promise<OpenIdClient> =>
    (openId ??= import('./openid.ts').then(({ openIdClient: openIdConnect }) => openIdConnect(keys, clock)))
  const limited = waitingLimit()
  return {
    authorizationUrl: async (organization, state, origin) =>
      organization.kind === 'oidc'
        ? limited(organization, async () => (await loadOpenId()).authorizationUrl(organization, state, `${origin}/sso/callback`))
        : (await loadSaml()).samlRequestUrl(keys, organization, state, origin),
    openIdIdentity: (organization, state, callbackUrl) =>
      limited(organization, async () => (await loadOpenId()).fetchIdentity(organization, state, callbackUrl)),
    samlIdentity: async (organization, state, origin, response) =>
      (await loadSaml()).samlIdentity(keys, organization, state, origin, response),
    metadata: async (origin) => (await loadSaml()).portalMetadata(origin),
  }
}

/** How many requests of one organization wait for its provider at once. A server has four times as many places for all (http/load). */
const MAX_WAITING = 8

/**
 * Makes the function that runs requests to providers, at most MAX_WAITING at once for an organization. @throws SignOnFailed above that
 * One provider that does not respond holds up the people of its own organization alone.
 */
const waitingLimit = () => {
  const waiting = new Map<number, number>()
  const change = (id: number, difference: 1 | -1): void => void waiting.set(id, (waiting.get(id) ?? 0) + difference)
  return async <T>({ id }: Organization, request: () => Promise<T>): Promise<T> => {
    if ((waiting.get(id) ?? 0) >= MAX_WAITING) throw new SignOnFailed('away', 'others wait for the provider already')
    change(id, 1)
    try {
      return await request()
    } finally {
      change(id, -1)
    }
  }
}
