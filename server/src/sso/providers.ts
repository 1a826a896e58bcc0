import type { Keys } from '../kit/keys.ts'
import type { Company } from './organizations.queries.ts'
import type { Identity } from './identity.ts'
import type { OpenId } from './openid.ts'

/** The ways to companies' identity providers and back. All of them throw SignOnFailed for what cannot be believed. */
export interface Providers {
  /** Where the browser goes to sign in at its company; `origin` is where it sees the portal. */
  address(company: Company, state: string, origin: string): Promise<string>
  /** Whom an OpenID provider names, after it sent the browser back to `returned`. */
  openIdentity(company: Company, state: string, returned: URL): Promise<Identity>
  /** Whom a SAML provider's posted answer names. */
  samlIdentity(company: Company, state: string, origin: string, answer: string): Promise<Identity>
  /** What a SAML provider is told of this portal. */
  metadata(origin: string): Promise<string>
}

const bySaml = () => import('./saml.ts')

/** Each way brings its library along when the first person takes it: many servers have no company. */
export const providers = (keys: Keys, now: () => number): Providers => {
  let openId: Promise<OpenId> | undefined
  const byOpenId = (): Promise<OpenId> => (openId ??= import('./openid.ts').then(({ openIdConnect }) => openIdConnect(keys, now)))
  return {
    address: async (company, state, origin) =>
      company.kind === 'oidc'
        ? (await byOpenId()).address(company, state, `${origin}/sso/callback`)
        : (await bySaml()).samlAddress(keys, company, state, origin),
    openIdentity: async (company, state, returned) => (await byOpenId()).identity(company, state, returned),
    samlIdentity: async (company, state, origin, answer) => (await bySaml()).samlIdentity(keys, company, state, origin, answer),
    metadata: async (origin) => (await bySaml()).portalMetadata(origin),
  }
}
