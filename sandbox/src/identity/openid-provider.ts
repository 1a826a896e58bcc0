import { generateKeyPairSync } from 'node:crypto'
import { Provider } from 'oidc-provider'
import { accountOf } from './accounts.ts'
import { errorPage } from './login-page.ts'
import { isPortalAddress } from './portal-address.ts'
import { memoryAdapter } from './memory-adapter.ts'

/** The portal's client credentials, as the demo world configures them. */
const CLIENT = { id: 'counterfoil', secret: 'counterfoil-sandbox' } as const

/** A real OpenID provider with the sandbox's accounts and the portal as its only client. */
export const openIdProvider = (issuer: string): Provider => {
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: ['http://localhost:3000/sso/callback'] }],
    adapter: memoryAdapter(),
    jwks: { keys: [signingKey()] },
    cookies: { keys: ['a sandbox has no secrets'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    scopes: ['openid', 'email', 'profile'],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { url: (_, { uid }) => `/oidc/interaction/${uid}` },
    ttl: { Session: 3_600, Interaction: 600, Grant: 3_600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    findAccount: (_, subject) => {
      const account = accountOf(subject)
      if (account === undefined) return undefined
      const { name, username } = account
      return { accountId: subject, claims: () => ({ sub: subject, name, email: username, email_verified: true }) }
    },
    renderError: (ctx, { error_description: words, error }) => {
      ctx.type = 'html'
      ctx.body = errorPage(words ?? error)
    },
    // No consent screen: the organization trusts its own portal.
    loadExistingGrant: async ({ oidc }) => {
      const { client, session, provider } = oidc
      if (client === undefined || session?.accountId === undefined) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  // The portal of a sandbox has many addresses: localhost, 127.0.0.1, each demo brand's own host.
  provider.Client.prototype.redirectUriAllowed = (address: string) => isPortalAddress(address)
  return provider
}

/** A new private RSA key as a JWK; tokens of an earlier start are no longer valid. */
const signingKey = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return { ...privateKey.export({ format: 'jwk' }), kty: 'RSA' as const, use: 'sig', alg: 'RS256', kid: 'sandbox' }
}
