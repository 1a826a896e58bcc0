import { LRUCache } from 'lru-cache'
import * as openid from 'openid-client'
import { cacheTtl } from '../kit/cache-ttl.ts'
import type { Clock } from '../kit/clock.ts'
import type { Keys } from '../kit/keys.ts'
import { type Claims, isEmailComplete, verifiedEmailOf } from './email.ts'
import type { Organization } from './organizations.queries.ts'
import { type Identity, SignOnFailed } from './identity.ts'
import { isLoopback, isSafeUrl } from './loopback.ts'
import { PROVIDER_TIMEOUT_SECONDS, providerFetch } from './provider-fetch.ts'
import { unsealClientSecret, attemptSecrets } from './secrets.ts'

/** How long a provider's metadata is cached. */
const DISCOVERY_CACHE_MS = 10 * 60_000
const MAX_ORGANIZATIONS = 10_000

/** OpenID Connect: authorization code flow with PKCE, state and nonce. */
export interface OpenIdClient {
  /** The URL to send the browser to. @throws SignOnFailed when the provider's metadata cannot be read */
  authorizationUrl(organization: Organization, state: string, redirectUri: string): Promise<string>
  /** The identity after the provider redirected back to `callbackUrl`. @throws SignOnFailed when the response is not valid */
  fetchIdentity(organization: Organization, state: string, callbackUrl: URL): Promise<Identity>
}

/** The client of all organizations with OpenID Connect. A provider's metadata is cached for DISCOVERY_CACHE_MS. */
export const openIdClient = (keys: Keys, clock: Clock): OpenIdClient => {
  const cache = new LRUCache<string, Promise<openid.Configuration>>({ max: MAX_ORGANIZATIONS, ...cacheTtl(clock, DISCOVERY_CACHE_MS) })

  /** The provider's metadata. Concurrent callers share one request; failures are not cached. */
  const configurationOf = (organization: Organization): Promise<openid.Configuration> => {
    const key = `${organization.id} ${organization.changedAt.getTime()}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const configuration = discover(keys, organization)
    cache.set(key, configuration)
    configuration.catch(() => cache.delete(key))
    return configuration
  }

  return {
    authorizationUrl: (organization, state, redirectUri) =>
      withSignOnErrors(async () => {
        const { nonce, verifier } = attemptSecrets(keys, state)
        const address = openid.buildAuthorizationUrl(await configurationOf(organization), {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state,
          nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return address.href
      }),
    fetchIdentity: (organization, state, callbackUrl) =>
      withSignOnErrors(async () => {
        const configuration = await configurationOf(organization)
        const { nonce, verifier } = attemptSecrets(keys, state)
        const tokens = await openid.authorizationCodeGrant(configuration, callbackUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const idClaims = tokens.claims()
        if (idClaims === undefined) throw new SignOnFailed('unbelievable', 'no id token')
        const claims = isEmailComplete(idClaims, organization)
          ? idClaims
          : { ...idClaims, ...(await userInfo(configuration, tokens.access_token, idClaims.sub)) }
        return { issuer: idClaims.iss, subject: idClaims.sub, email: verifiedEmailOf(claims, organization) }
      }),
  }
}

/**
 * Fetches the provider's metadata, and configures the client with its secret.
 * @throws SignOnFailed without a client, for another issuer than the settings name, or for endpoints without https
 */
const discover = async (keys: Keys, organization: Organization): Promise<openid.Configuration> => {
  const { resellerId, clientId, clientSecret, issuer } = organization
  if (clientId === null || clientSecret === null) throw new SignOnFailed('unbelievable', 'the company has no client')
  const server = new URL(issuer)
  const secret = openSecret(keys, resellerId, clientSecret)
  const configuration = await openid.discovery(server, clientId, {}, clientAuthentication(secret), {
    [openid.customFetch]: providerFetch,
    timeout: PROVIDER_TIMEOUT_SECONDS,
    // Verifies the ID token's signature although it came over TLS: another party may terminate the provider's TLS.
    execute: [openid.enableNonRepudiationChecks, ...(isLoopback(server.hostname) ? [openid.allowInsecureRequests] : [])],
  })
  const {
    issuer: namedIssuer,
    authorization_endpoint: authorizationEndpoint = '',
    token_endpoint: tokenEndpoint = '',
  } = configuration.serverMetadata()
  if (namedIssuer !== issuer) throw new SignOnFailed('unbelievable', 'the provider says that it is another issuer')
  if (!isSafeUrl(authorizationEndpoint) || !isSafeUrl(tokenEndpoint))
    throw new SignOnFailed('unbelievable', 'the provider leads to an unsafe address')
  return configuration
}

/** The client secret in clear. @throws SignOnFailed when it does not open under this master key */
const openSecret = (keys: Keys, resellerId: number, sealed: Buffer): string => {
  try {
    return unsealClientSecret(keys, resellerId, sealed)
  } catch (error) {
    throw new SignOnFailed('unbelievable', 'the client secret does not open under this master key', { cause: error })
  }
}

/** Authenticates the client in the header, which is the default, or in the form, as the provider supports. */
const clientAuthentication = (secret: string): openid.ClientAuth => {
  const [inHeader, inForm] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? inHeader : inForm)(server, ...rest)
  }
}

/**
 * The claims of the provider's user info; none where it has no such endpoint. Some providers put the email only there.
 * Okta has it in the ID token, and whether it is verified in the user info.
 */
const userInfo = async (configuration: openid.Configuration, accessToken: string, subject: string): Promise<Claims> =>
  configuration.serverMetadata().userinfo_endpoint === undefined ? {} : openid.fetchUserInfo(configuration, accessToken, subject)

/** OAuth's error codes for a temporary failure. */
const UNAVAILABLE_CODES = new Set(['server_error', 'temporarily_unavailable'])

/** Runs the work. @throws SignOnFailed in place of any error: `away` for no response in time, `denied`, else `unbelievable` */
const withSignOnErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SignOnFailed) throw error
    if (error instanceof openid.AuthorizationResponseError)
      throw new SignOnFailed(UNAVAILABLE_CODES.has(error.error) ? 'away' : 'denied', 'the provider answered with an error', {
        cause: error,
      })
    if (error instanceof openid.ResponseBodyError)
      throw new SignOnFailed(error.status >= 500 ? 'away' : 'unbelievable', 'the provider refused the exchange', { cause: error })
    throw new SignOnFailed(isUnavailable(error) ? 'away' : 'unbelievable', errorCode(error), { cause: error })
  }
}

/** The code of an error for the log, else its name. */
const errorCode = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'unknown')
}

/** Whether the provider did not respond in time, or responded with a server error. */
const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (['TimeoutError', 'AbortError'].includes(error.name) || ['OAUTH_TIMEOUT', 'OAUTH_ABORT'].includes(errorCode(error))) return true
  if (error instanceof TypeError && error.message === 'fetch failed') return true
  return error.cause instanceof Response && error.cause.status >= 500
}
